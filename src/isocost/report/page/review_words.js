// A review band in plain words: the twin of decision/review_wording.py, letter for letter.
import { amount, share } from './numbers.js';

const CLEARED = {
  'flag cases with score ≥': 'clear cases with score <',
  'flag nobody': 'clear everybody',
  'flag everybody': 'clear nobody',
};

export const NO_REVIEW = 'No review is worth its price here.';

/** Who is flagged, cleared and reviewed, what that costs and saves, and what reviews are worth. */
export function bandText(band) {
  const saved = savingText(band);
  const cost = `${amount(1000 * band.expected_cost)} per 1000 cases`;
  return `${band.model}: ${bandRule(band)}: ${cost}${saved ? ', ' : ''}${saved}. ${worthText(band)}${finerText(band)}`;
}

/** What thresholds inside groups of scores could save; empty where that is nothing. */
function finerText({ expected_cost, expected_cost_low: low }) {
  if (low === null) return '';
  return ` Scores were grouped: finer thresholds could save up to ${amount(1000 * (expected_cost - low))}.`;
}

/** What to do with a case, without capital and full stop. */
export function bandRule({ reviewed, flagged, cleared, flag_choice, review_choice, without }) {
  if (reviewed === 0) return `${without.rule}, have a person look at nobody`;
  if (flagged === 0 && cleared === 0) return 'have a person look at every case';
  const look = `have a person look at the ${flagged === 0 || cleared === 0 ? 'other ' : ''}${share(reviewed)}`;
  if (flagged === 0) return `${clearRule(review_choice)}, ${look}`;
  if (cleared === 0) return `${flag_choice.rule}, ${look}`;
  return `${flag_choice.rule}, ${clearRule(review_choice)}, ${look} between`;
}

/** What the band saves per 1000 cases against one threshold; nothing if nobody is reviewed. */
function savingText(band, unit = '') {
  if (band.reviewed === 0) return '';
  const less = band.saving < 0 ? 'more' : 'less';
  return `${amount(1000 * Math.abs(band.saving), unit)} ${less} than with one threshold`;
}

/** Up to which price reviews pay, and what one more would save. */
export function worthText(band, unit = '') {
  if (band.worth_up_to === 0) return 'Reviews pay at no price.';
  const text = `Reviews pay up to ${amount(band.worth_up_to, unit)} each.`;
  if (!(band.price_of_capacity > 0)) return text;
  return `${text} One more review would save ${amount(band.price_of_capacity, unit)}.`;
}

/** What a decision with reviews adds: what they save and what they are worth. */
export function reviewsAdd(band, unit) {
  const saved = savingText(band, unit);
  return saved ? `With reviews it costs ${saved}. ${worthText(band, unit)}` : worthText(band, unit);
}

/** Who is cleared outright: whoever the rule neither flags nor shows to a person. */
function clearRule({ rule }) {
  if (rule.startsWith('use ')) return `clear whom ${rule.slice(4)} does not flag`;
  return Object.entries(CLEARED).reduce((text, [flag, clear]) => text.replaceAll(flag, clear), rule);
}
