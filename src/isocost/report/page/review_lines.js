// What models cost with second looks at every cost of a miss, and who is then cheapest where; no limit on looks.
// Touches no document: it is tested against Python without a browser.
import { bestVertex, optimalCost } from './core.js';
import { mostGained, weightsOf } from './review.js';
import { EVERYBODY, NOBODY } from './words.js';

// What a difference of two equal costs may come out as.
const ROUNDED = 1e-12;

/**
 * The normalised cost of a model with its best band at every pcf, while the cost of a miss moves it: without a limit on
 * looks, straight between the breaks.
 */
export function reviewLine(model, { fpGap: a, prevalence: p }, asked) {
  const { cost_review: r, reviewer_fpr: e, reviewer_tpr: d } = asked;
  const pcfOf = (b) => (p * b) / (p * b + (1 - p) * a);
  // What a false alarm weighs in both optima does not depend on misses.
  const { flag, review } = weightsOf({ fpGap: a, fnGap: 0, prevalence: p }, asked);
  const misses = model.switches.flatMap((t) => [
    d < 1 ? ((flag.fpr * (1 - t)) / (t * p) - r) / (1 - d) : -1,
    d > 0 ? ((review.fpr * (1 - t)) / (t * p) + r) / d : -1,
  ]);
  // From this cost of a miss on a look can gain more than its price.
  if (a * (d - e) > r) misses.push((r * a) / (a * (d - e) - r));
  const breaks = [...misses.filter((b) => b > 0 && Number.isFinite(b)).map(pcfOf), ...model.switches.map((t) => 1 - t)];
  return { breaks, costAt: (z) => reviewedCost(model, { fpGap: a, prevalence: p }, asked, z) };
}

/** The normalised cost of a model with its best band at a pcf that the cost of a miss makes; no limit on looks. */
function reviewedCost(model, { fpGap, prevalence: p }, asked, pcf) {
  const fnGap = ((pcf / (1 - pcf)) * fpGap * (1 - p)) / p;
  if (!(asked.cost_review < mostGained({ fpGap, fnGap }, asked))) return optimalCost(model, 1 - pcf);
  const { flag, review } = weightsOf({ fpGap, fnGap, prevalence: p }, asked);
  const [i, j] = [flag, review].map((weigh) => bestVertex(model, weigh.fpr / (weigh.fpr + weigh.tpr)));
  const paid =
    flag.fpr * model.fpr[i] - flag.tpr * model.tpr[i] + review.fpr * model.fpr[j] - review.tpr * model.tpr[j];
  return pcf + paid / ((1 - p) * fpGap + p * fnGap);
}

/**
 * Who is cheapest with second looks on a grid of ln(ratio) × logit(prevalence), as `gridWithin` tells it for limits: no
 * limit on looks.
 */
export function gridReviewed({ models }, asked, { fpGap, cost_tn, cost_tp }, [x0, x1], [y0, y1], n) {
  const found = [];
  for (let j = 0; j <= n; j++) {
    const p = 1 / (1 + Math.exp(-(y0 + ((y1 - y0) * j) / n)));
    for (let i = 0; i <= n; i++) {
      const ratio = Math.exp(x0 + ((x1 - x0) * i) / n);
      const pcf = (ratio * p) / (ratio * p + 1 - p);
      const costs = new Map([
        [NOBODY, pcf],
        [EVERYBODY, 1 - pcf],
      ]);
      let [who, least] = pcf <= 1 - pcf ? [NOBODY, pcf] : [EVERYBODY, 1 - pcf];
      models.forEach((model, m) => {
        const cost = reviewedCost(model, { fpGap, prevalence: p }, asked, pcf);
        costs.set(m, cost);
        if (cost < least - ROUNDED) [who, least] = [m, cost];
      });
      const unit = fpGap * (ratio * p + 1 - p);
      found.push({ who, costs, cost: 1000 * (cost_tn * (1 - p) + cost_tp * p + unit * least) });
    }
  }
  return found;
}
