// Sentences from data: the twin of decide/say.py, on the same file of sentences.
import { amount, digits, percent, rough, roughSpan, share, thresholdText } from './numbers.js';

/** What is at a path of data; null if there is nothing. */
const foundAt = (path, data) => path.reduce((held, name) => held?.[name] ?? null, data);
const textOf = (value) => (value === null ? '' : String(value));
// Infinities are texts and NaN is null.
const numberOf = (value) => (value === null ? NaN : Number(value));
const thousand = (value) => 1000 * numberOf(value);
const UNIT = ['question', 'words', 'unit'];
const unitOf = (data) => textOf(foundAt(UNIT, data));
const belowOf = ({ below = null }) => (below === null ? -Infinity : Number(below));

// How a slot is written.
const KINDS = {
  about: (x) => digits(numberOf(x), 1),
  count: (x) => digits(numberOf(x), 15),
  exact: (x) => thresholdText(numberOf(x)),
  money: (x, data) => amount(numberOf(x), unitOf(data)),
  per_1000: (x, data) => amount(thousand(x), unitOf(data)),
  percent: (x) => percent(numberOf(x)),
  probability: (x) => digits(numberOf(x), 4),
  ratio: (x) => digits(numberOf(x)),
  rough_1000: (x, data) => rough(thousand(x), unitOf(data)),
  share: (x) => share(numberOf(x)),
  size: (x) => digits(Math.abs(numberOf(x))),
  size_1000: (x, data) => rough(1000 * Math.abs(numberOf(x)), unitOf(data)),
  span_1000: (x, data) => roughSpan(x.map(thousand), unitOf(data)),
  start: (x) => textOf(x).slice(0, 1).toUpperCase() + textOf(x).slice(1),
  tenths: (x) => digits(Math.floor(10 * numberOf(x) + 0.5)),
  threshold: (x, data) => thresholdText(numberOf(x), belowOf(data)),
};

/** A condition as a function of data: `path`, `!path`, `path=text`, `path!=text`, `path>number` or `path<number`. */
function conditionOf(text) {
  const [, no, name, sign, wanted] = /^(!?)([\w.]+)(?:(!=|=|<|>)(.*))?$/.exec(text);
  const path = name.split('.');
  const size = Number(wanted);
  const tests = {
    '=': (value) => textOf(value) === wanted,
    '!=': (value) => textOf(value) !== wanted,
    '>': (value) => numberOf(value) > size,
    '<': (value) => numberOf(value) < size,
  };
  const holds = tests[sign] ?? ((value) => isSome(value) === !no);
  return (data) => holds(foundAt(path, data));
}

const isSome = (value) => (Array.isArray(value) ? value.length > 0 : isFull(value));
// As in Python, an empty object is nothing.
const isFull = (value) => (value && typeof value === 'object' ? Object.keys(value).length > 0 : Boolean(value));

/** A file of sentences. A sentence is the first of its variants whose conditions all hold. */
export class Speaker {
  constructor({ order, lines, sentences, marks }) {
    this.order = order;
    this.lines = lines;
    this.marks = marks;
    this.variants = Object.fromEntries(Object.entries(sentences).map(([key, variants]) => [key, variants.map((one) => this.read(one))]));
  }

  /** Every sentence about a decision, in order; empty where nothing is to be said. */
  all(data) {
    return Object.fromEntries(this.order.map((key) => [key, this.say(key, data)]));
  }

  /** The sentences of `all` line by line; the headline stands for itself. */
  text(said) {
    const lines = this.lines.map((keys) => keys.flatMap((key) => said[key] || []).join(' '));
    return lines.filter(Boolean).join('\n');
  }

  say(key, data) {
    const said = this.variants[key].find(({ when }) => when.every((holds) => holds(data)));
    return said ? said.parts.map((part) => (typeof part === 'string' ? part : part(data))).join('') : '';
  }

  read({ when = [], say }) {
    const parts = say.split(/\{([^{}]+)\}/).map((part, i) => (i % 2 ? this.slot(part) : part));
    return { when: when.map(conditionOf), parts };
  }

  /** A slot as a function of data: `path`, `path:kind`, `@key`, `path>key`, `path*key` or `path+key`. */
  slot(text) {
    if (text.startsWith('@')) return (data) => this.say(text.slice(1), data);
    const [, name, sign, key] = /^([\w.]+)(?:([>*+:])(\w+))?$/.exec(text);
    const path = name.split('.');
    if (!sign) return (data) => textOf(foundAt(path, data));
    if (sign === ':') return (data) => KINDS[key](foundAt(path, data), data);
    if (sign === '>') return (data) => this.say(key, { ...data, ...foundAt(path, data) });
    return (data) => {
      const parts = (foundAt(path, data) ?? []).map((item) =>
        this.say(key, { ...data, ...(item && typeof item === 'object' && !Array.isArray(item) ? item : { item }) }),
      );
      if (sign === '+') return parts.filter(Boolean).join(' ');
      const [comma, and] = [this.marks.comma, this.marks.and];
      return [parts.slice(0, -1).join(comma), ...parts.slice(-1)].filter(Boolean).join(and);
    };
  }
}
