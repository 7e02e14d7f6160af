// What models cost with second looks at every cost of a miss, and who is then cheapest where, with a limit or without.
// Touches no document: it is tested against Python without a browser.
import { priced } from './beliefs.js';
import { bestVertex, optimalCost } from './core.js';
import { mostGained, reviewBand, weightsOf } from './review.js';
import { EVERYBODY, NOBODY } from './words.js';

// What a difference of two equal costs may come out as.
const ROUNDED = 1e-12;
// How much dearer than the cheapest a model is that cannot win in a cell beside this one.
const CANNOT_WIN = 1.25;

/**
 * The normalised cost of a model with its best band at every pcf, while the cost of a miss moves it: straight between
 * the breaks.
 */
export function reviewLine(model, condition, asked) {
  return asked.max_reviewed === null ? freeLine(model, condition, asked) : cappedLine(model, condition, asked);
}

/** Without a limit on looks two ordinary optima tell where it breaks. */
function freeLine(model, { fpGap: a, prevalence: p }, asked) {
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
 * With a limit on looks. Which bands keep it does not depend on the cost of a miss, and the cost of each is a straight
 * line over pcf: the least of them is found from both ends, by asking for the best band where two lines cross.
 */
function cappedLine(model, condition, asked) {
  const costAt = (z) => valueAt(cappedBand(model, condition, asked, z), z);
  let breaks = null;
  return {
    get breaks() {
      breaks ??= crossingsOf((z) => cappedBand(model, condition, asked, z));
      return breaks;
    },
    costAt,
  };
}

const valueAt = ([low, high], z) => (1 - z) * low + z * high;

/** The best band at a pcf as a line: its normalised cost where pcf is 0, and where it is 1. */
function cappedBand(model, { fpGap, prevalence: p }, asked, pcf) {
  const cost_fn = ((pcf / (1 - pcf)) * fpGap * (1 - p)) / p;
  const condition = priced({ cost_fp: fpGap, cost_fn, prevalence: p, cost_tp: 0, cost_tn: 0 });
  const { t } = condition;
  const { fpr, tpr, reviewed } = reviewBand(model, { condition, t, pcf, hasUnit: true, prevalence: () => p }, asked);
  return [fpr + (asked.cost_review * reviewed) / ((1 - p) * fpGap), 1 - tpr];
}

/** Where the least of straight lines over [0, 1] breaks, given the one that is least at a place. */
function crossingsOf(lineAt) {
  const found = [];
  const split = (left, right) => {
    const [rise, fall] = [right[0] - left[0], left[1] - right[1]];
    // One of them is nowhere above the other.
    if (!(rise > ROUNDED && fall > ROUNDED)) return;
    const z = rise / (rise + fall);
    const middle = lineAt(z);
    if (valueAt(middle, z) < valueAt(left, z) - ROUNDED) {
      split(left, middle);
      split(middle, right);
    } else found.push(z);
  };
  // To flag nobody costs nothing at one end, to flag everybody nothing at the other.
  split([0, 1], [1, 0]);
  return found;
}

/** Who is cheapest with second looks on a grid of ln(ratio) × logit(prevalence), as `gridWithin` tells for limits. */
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
      const here = { fpGap, prevalence: p };
      models.forEach((model, m) => {
        let cost = reviewedCost(model, here, asked, pcf);
        // A limit makes no band cheaper: what is far from winning without one does not win beside this place either.
        if (asked.max_reviewed !== null && cost < CANNOT_WIN * least) {
          cost = valueAt(cappedBand(model, here, asked, pcf), pcf);
        }
        costs.set(m, cost);
        if (cost < least - ROUNDED) [who, least] = [m, cost];
      });
      const unit = fpGap * (ratio * p + 1 - p);
      found.push({ who, costs, cost: 1000 * (cost_tn * (1 - p) + cost_tp * p + unit * least) });
    }
  }
  return found;
}
