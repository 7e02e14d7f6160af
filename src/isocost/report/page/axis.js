// The x axis that cost space, winners and difference share.

/** The x axis shared by cost space, winners and difference: PCF(+) as it is, or its log-odds. */
export function pcfAxis(app) {
  const axis = {
    reach: Math.log(1e4),
    place(frame) {
      this.left = frame.left;
      this.width = frame.width;
    },
    at(z) {
      if (!app.view.stretched) return this.left + z * this.width;
      const odds = Math.log(z / (1 - z));
      return this.left + (Math.min(Math.max(odds / this.reach, -1), 1) * 0.5 + 0.5) * this.width;
    },
    from(x) {
      const u = Math.min(Math.max((x - this.left) / this.width, 0), 1);
      if (!app.view.stretched) return u;
      return 1 / (1 + Math.exp(-(u * 2 - 1) * this.reach));
    },
    ticks(narrow) {
      if (!app.view.stretched) {
        return (narrow ? [0, 0.25, 0.5, 0.75, 1] : [0, 0.2, 0.4, 0.6, 0.8, 1]).map((z) => [this.at(z), String(z)]);
      }
      return [0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999]
        .filter((_, i) => !narrow || i % 2 === 0)
        .map((z) => [this.at(z), String(z)]);
    },
    /** Places at which a smooth curve is sampled. */
    samples() {
      const found = [];
      for (let i = 0; i <= 240; i++) found.push(this.from(this.left + (i / 240) * this.width));
      return found;
    },
  };
  return axis;
}
