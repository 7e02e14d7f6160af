// Sentences of the library in the reader's words: the twin of `reworded` in decision/vocabulary.py, letter for letter.
// Touches no document: it is tested against Python without a browser.

const USUAL_WORDS = ['positive', 'negative', 'case', 'flag', 'positives', 'negatives', 'cases', 'flagged'];
const RATE_NAMES = '(?:false|true) (?:positive|negative)s?';
const NOUNS = '(?:positive|negative) cases|cases?|positives?|negatives?|flag(?:s|ged|ging)?';

/** A sentence in the reader's words; `names`, of models and groups, stay as they are. */
export function reworded(text, words, names = []) {
  if (USUAL_WORDS.every((name) => words[name] === name)) return text;
  const escaped = [...names]
    .filter(Boolean)
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'));
  const kept = [...escaped, RATE_NAMES].join('|');
  const pattern = new RegExp(`(${kept})|(^|[^\\w-])(?!${kept})(${NOUNS})(?![\\w-])`, 'gi');
  return text.replace(pattern, (all, name, before, word) =>
    word === undefined ? all : `${before}${ownWord(word, words)}`,
  );
}

/** A word of the library in the reader's, with a capital if it has one. */
function ownWord(word, words) {
  const [kind, cases] = word.toLowerCase().split(' ');
  let found = words[kind];
  if (kind === 'positive' || kind === 'negative') {
    found = words[kind] !== kind ? words[`${kind}s`] : cases ? `${kind} ${words.cases}` : kind;
  }
  return word[0] === word[0].toUpperCase() ? `${found.slice(0, 1).toUpperCase()}${found.slice(1)}` : found;
}
