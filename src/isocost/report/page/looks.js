// Which model has which colour and dash.
const NAMED = 5;

export function addLooks(app, root) {
  const { data } = app;
  // How each model is drawn: up to six keep their looks, of more the five cheapest here have colours.
  const slots = new Map(data.models.map((_, m) => [m, m]));
  let looks = [];
  /** Choose looks; true if any changed. */
  app.colour = () => {
    if (data.models.length <= NAMED + 1) {
      looks = data.models.map((_, m) => ({ model: m, named: true, slot: m, colour: m < NAMED ? `--m${m}` : '--grey' }));
      return false;
    }
    const best = new Set(
      app.facts.byModel
        .map((row, m) => [row.extra ?? 0, m])
        .sort(([a], [b]) => a - b)
        .slice(0, NAMED)
        .map(([, m]) => m),
    );
    const before = looks.map((look) => look.slot).join();
    for (const [m, slot] of slots) if (!best.has(m) || slot >= NAMED) slots.set(m, null);
    const free = [0, 1, 2, 3, 4].filter((slot) => ![...slots.values()].includes(slot));
    // As in figures: a place of its own is kept, the others take what is free in the order of the models.
    for (const m of [...best].sort((a, b) => a - b)) if (slots.get(m) === null) slots.set(m, free.shift());
    looks = data.models.map((_, m) => ({
      model: m,
      named: best.has(m),
      slot: best.has(m) ? slots.get(m) : 'rest',
      colour: best.has(m) ? `--m${slots.get(m)}` : '--grey',
    }));
    return looks.map((look) => look.slot).join() !== before;
  };
  app.looks = () => looks;
  app.paint = () => {
    for (const node of root.querySelectorAll('[data-model]')) {
      const look = looks[Number(node.dataset.model)];
      if (look) node.setAttribute('data-slot', look.slot);
    }
  };
}
