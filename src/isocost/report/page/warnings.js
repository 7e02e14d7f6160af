// Warnings about a decision: few cases, and scores that rank backwards or too well; the twin of decide/cautions.py.

const FEW_CASES = 50;
// Below this many flagged positives, or negatives left alone, an operating point rests on next to nothing.
const FEW_DECIDING = 5;

/** What a reader of a decision should be careful about, a sentence each. */
export function warningsAbout({ models, speaker }, choice, words) {
  const [found, last] = [[], []];
  const { positives, negatives } = models[0].about;
  if (positives !== null && negatives !== null && Math.min(positives, negatives) < FEW_CASES) {
    found.push({ kind: 'few', positives, negatives });
  }
  const chosen = models.find(({ name }) => name === choice.model)?.about;
  if (chosen && chosen.positives !== null && chosen.negatives !== null) {
    const deciding = Math.min(choice.tpr * chosen.positives, (1 - choice.fpr) * chosen.negatives);
    if (deciding < FEW_DECIDING - 1e-9) found.push({ kind: 'guess' });
    if (choice.fpr === 0 && choice.tpr === 1) {
      // The probability of no error at all is 5 % at these rates, the upper ends of 90 % intervals.
      const [misses, alarms] = [chosen.positives, chosen.negatives].map((count) => 1 - 0.05 ** (1 / count));
      last.push({ kind: 'may_miss', misses, alarms });
    }
  }
  const scores = models.flatMap(({ name: model, about }) => {
    return about.backwards ? [{ kind: 'reversed', model }] : about.flawless ? [{ kind: 'perfect', model }] : [];
  });
  return [...found, ...scores, ...last].map((one) => speaker.say('warning', { question: { words }, ...one }));
}
