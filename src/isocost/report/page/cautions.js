// What a reader of a decision should be wary of: the twin of decision/cautions.py.
import { digits, share } from './numbers.js';

const FEW_CASES = 50;
// Below this many flagged positives, or negatives left alone, an operating point rests on next to nothing.
const FEW_DECIDING = 5;

/** A sentence each; `index` is the decided model, null if none is used. */
export function cautions({ models, summary }, d, index) {
  const [texts, last] = [[], []];
  const [first] = models;
  const few = ['positive', 'negative'].flatMap((kind) => {
    const count = first.about[`${kind}s`];
    return count !== null && count < FEW_CASES ? [`${digits(count)} ${kind}`] : [];
  });
  if (few.length) texts.push(`Only ${few.join(' and ')} cases: every number here is rough.`);
  const { positives = null, negatives = null } = index === null ? {} : models[index].about;
  if (positives !== null && negatives !== null) {
    if (Math.min(d.tpr * positives, (1 - d.fpr) * negatives) < FEW_DECIDING - 1e-9) {
      texts.push('The answer rests on fewer than five cases of one class: treat it as a guess.');
    }
    if (d.fpr === 0 && d.tpr === 1) {
      // The probability of no error at all is 5 % at these rates.
      const [misses, alarms] = [positives, negatives].map((count) => share(1 - 0.05 ** (1 / count)));
      last.push(
        `Up to ${misses} of positives may still be missed, and up to ${alarms} of negatives flagged (90 % limits).`,
      );
    }
  }
  // What is odd about scores does not depend on the condition: Python has said it.
  return [...texts, ...summary.cautions, ...last];
}

/** The models that matter to a decision and rank backwards: the decided one, or any if it is to use none. */
export function backwards(models, index) {
  return (index === null ? models : [models[index]])
    .filter((model) => model.about.backwards)
    .map((model) => model.name);
}
