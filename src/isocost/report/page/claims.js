// Which of two models is significantly cheaper where: claims of the library, which hold together.

/** The claims about two models by name, as ranges of pcf in ascending order. */
export function claimsOf(significance, a, b) {
  return significance.anywhere
    .filter(({ better, worse }) => (better === a && worse === b) || (better === b && worse === a))
    .map(({ better, t_low, t_high }) => ({ better, low: 1 - t_high, high: 1 - t_low }))
    .sort((x, y) => x.low - y.low);
}
