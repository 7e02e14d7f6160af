// Numbers and ranges as people type them.

/** A number: 0.3, 0,3, 30 %, 5k, 4,000. */
function typedNumber(text) {
  const bare = text.replace(/[%\s]/g, '');
  // A comma before three digits parts thousands, any other is a decimal one.
  const plain = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?k?$/.test(bare) ? bare.replaceAll(',', '') : bare.replace(',', '.');
  const [, number, thousand] = /^(\d*\.?\d*(?:e[+-]?\d+)?)(k?)$/i.exec(plain) ?? [];
  return number ? Number(number) * (thousand ? 1000 : 1) : NaN;
}

/** Both ends of a number or a range: 25–35, 25 to 35, 25-35. Null if it is neither. */
export function typedPair(text) {
  const parts = text.split(/\s*(?:–|—|\bto\b|(?<![e])-)\s*/i);
  const [low, high = low] = parts.map(typedNumber);
  return parts.length <= 2 && Number.isFinite(low) && Number.isFinite(high) && low <= high ? [low, high] : null;
}

/** A value with three digits; of a share, of it or of what it lacks to 1. */
export function tidy(value, isShare = false) {
  if (!isShare || value <= 0.5) return Number(value.toPrecision(3));
  return Number((1 - Number((1 - value).toPrecision(3))).toPrecision(15));
}
