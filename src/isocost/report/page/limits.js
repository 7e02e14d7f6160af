// Limits that hold on new cases: how much tighter a limit has to be to be sure of it; the twin of decide/limits.py.

/** The largest k with P(Bin(cases, share) ≤ k) ≤ delta; −1 if there is none. */
function allowedCount(cases, share, delta) {
  if (share <= 0) return -1;
  const odds = Math.log(share) - Math.log1p(-share);
  let [chance, total] = [cases * Math.log1p(-share), 0];
  for (let k = 0; k <= cases; k++) {
    total += Math.exp(chance);
    if (total > delta) return k - 1;
    chance += Math.log((cases - k) / (k + 1)) + odds;
  }
  return cases;
}

/** The fewest cases of which a share can be shown to be kept at all; null if no number is enough. */
function neededCases(share, delta) {
  if (share <= 0) return null;
  return share >= 1 ? 1 : Math.ceil(Math.log(delta) / Math.log1p(-share) - 1e-12);
}

const shareAllowed = (kind, limit) => (kind.startsWith('max') ? limit : 1 - limit);
const sizesOf = ([positives, negatives]) => ({ max_fpr: negatives, min_tpr: positives, max_flagged: positives + negatives });
const COUNTED = { max_fpr: 'negatives', min_tpr: 'positives', max_flagged: 'cases' };

/** Limits so tight that a rule which keeps them here keeps the given ones with confidence `sure`; null if none can. */
export function tightened(limits, sure, counts, models) {
  const delta = (1 - sure) / (Object.keys(limits).length * models);
  const found = {};
  for (const [kind, value] of Object.entries(limits)) {
    const [n, share] = [sizesOf(counts)[kind], shareAllowed(kind, value)];
    const k = share >= 1 ? n : allowedCount(n, share, delta);
    if (k < 0) return null;
    found[kind] = kind.startsWith('max') ? k / n : 1 - k / n;
  }
  return found;
}

/** How many cases of which class it needs to be sure of the first limit for which there are too few; null for none. */
export function lackingCases(limits, sure, counts, models) {
  const delta = (1 - sure) / (Object.keys(limits).length * models);
  for (const [kind, value] of Object.entries(limits)) {
    const needs = kind in COUNTED ? neededCases(shareAllowed(kind, value), delta) : null;
    if (needs !== null && needs > sizesOf(counts)[kind]) return { needs, class: COUNTED[kind] };
  }
  return null;
}
