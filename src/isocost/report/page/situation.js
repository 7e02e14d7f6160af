// The reader's situation: share of positives and both costs, each a number or a range, typed or dragged.
import { clamp, logit, means, middle } from './beliefs.js';
import { inWords } from './deed.js';
import { h, say, tell, unique } from './dom.js';
import { amount, digits, percent } from './numbers.js';
import { pairSlider } from './slider.js';
import { tidy, typedPair } from './typed.js';
import { capital, conditionText } from './words.js';

const inverseLogit = (odds) => 1 / (1 + Math.exp(-odds));
// How far a slider reaches from the author's value: in log-odds, and as a factor.
const REACH_ODDS = 2.5;
const REACH_FACTOR = 12;

/** A quantity's place on its slider: log-odds of a share, logarithm of a cost above a floor. */
function scaleOf(pair, floor, isShare) {
  const forth = isShare ? (v) => logit(clamp(v)) : (v) => Math.log(Math.max(v - floor, 1e-12));
  // A right decision may earn something; a wrong one costs nothing at least.
  const back = isShare ? inverseLogit : (u) => Math.max(floor + Math.exp(u), 0);
  const reach = isShare ? REACH_ODDS : Math.log(REACH_FACTOR);
  let [from, to] = [forth(middle(pair)) - reach, forth(middle(pair)) + reach];
  return {
    to: (v) => (forth(v) - from) / (to - from),
    from: (u) => tidy(back(from + u * (to - from)), isShare),
    /** Reach as far as a value that was typed. */
    include: (values) => {
      from = Math.min(from, ...values.map(forth));
      to = Math.max(to, ...values.map(forth));
    },
  };
}

const leastSaid = (floor) => (floor < 0 ? 'of 0 or more' : `above ${digits(floor)}`);

export function situationView(app, author) {
  const { unit, words } = app.summary;
  const controls = [
    {
      key: 'p',
      name: 'prevalence',
      label: `${words.Positives} among ${words.cases}`,
      after: '%',
      factor: 100,
      floor: 0,
      spoken: (v) => percent(v),
      ok: ([low, high]) => low > 0 && high < 1,
      needed: 'Give a percentage between 0 and 100, or a range such as 25–35.',
      widened: (v) => [-0.4, 0.4].map((by) => tidy(inverseLogit(logit(v) + by), true)),
    },
    {
      key: 'fn',
      name: 'cost_fn',
      label: `Cost of ${words.miss}`,
      after: unit,
      factor: 1,
      floor: author.cost_tp[1],
      spoken: (v) => amount(v, unit),
      ok: ([low]) => low > author.cost_tp[1] && low >= 0,
      needed: `Give a cost ${leastSaid(author.cost_tp[1])}, or a range such as 4–16.`,
    },
    {
      key: 'fp',
      name: 'cost_fp',
      label: `Cost of ${words.alarm}`,
      after: unit,
      factor: 1,
      floor: author.cost_tn[1],
      spoken: (v) => amount(v, unit),
      ok: ([low]) => low > author.cost_tn[1] && low >= 0,
      needed: `Give a cost ${leastSaid(author.cost_tn[1])}, or a range such as 1–2.`,
    },
  ].map((control) => made(control));

  function made(control) {
    const { key, name, label, after, factor, floor } = control;
    const isShare = name === 'prevalence';
    const scale = scaleOf(author[name], floor, isShare);
    const [id, wrong] = [unique('field'), unique('wrong')];
    const input = h('input', {
      type: 'text',
      id,
      autocomplete: 'off',
      spellcheck: 'false',
      'data-field': key,
      'aria-describedby': wrong,
    });
    const error = h('p', { class: 'error', id: wrong });
    const widen = h('button', { type: 'button', class: 'link', onclick: () => widened() });
    input.addEventListener('input', () => {
      const typed = typedPair(input.value.trim());
      const pair = typed && typed.map((v) => v / factor);
      if (pair && control.ok(pair)) app.change({ [name]: pair }, { [name]: input.value.trim() });
      else {
        input.setAttribute('aria-invalid', 'true');
        say(error, control.needed);
      }
    });
    input.addEventListener('blur', () => app.refresh());
    function widened() {
      const [low, high] = app.state[name];
      const at = middle([low, high]);
      const span = isShare ? control.widened?.(at) : [0.75, 1.25].map((by) => tidy(floor + (at - floor) * by));
      const one = tidy(at, isShare);
      app.change({ [name]: low === high ? span : [one, one] });
    }
    const slider = pairSlider(label, scale, (pair) => app.change({ [name]: pair }), control.spoken);
    return {
      name,
      node: h(
        'div',
        { class: 'control' },
        h(
          'div',
          { class: 'row' },
          h('label', { for: id }, label),
          h('span', { class: 'box' }, input, h('span', { class: 'after' }, after)),
        ),
        slider.node,
        h('div', { class: 'under' }, error, widen),
      ),
      put(state) {
        const pair = state[name];
        scale.include(pair);
        slider.put(pair);
        const [low, high] = pair.map((v) => digits(factor * v, 4));
        // A field being typed into keeps what was typed, and so does a range until it is dragged.
        if (document.activeElement !== input) {
          input.value = app.typed[name] ?? (low === high ? low : `${low}–${high}`);
        }
        const typed = typedPair(input.value.trim());
        if (typed && typed.every((v, i) => Math.abs(v / factor - pair[i]) <= 1e-3 * Math.abs(pair[i]))) {
          input.removeAttribute('aria-invalid');
          say(error, '');
        }
        say(widen, pair[0] === pair[1] ? 'not sure? give a range' : 'make it one number');
      },
      asText: () => `${label}: ${isShare ? `${input.value} %` : withUnit(input.value)}.`,
    };
  }

  const withUnit = (text) => amount(1, unit).replace('1', () => text);
  const weighs = h('p', { class: 'weighs' });
  const belief = h('p', { class: 'belief', hidden: true });
  const asText = h('p', { class: 'as-text' });
  const hook = h('div', { class: 'limits-hook' });
  const node = h(
    'aside',
    { class: 'situation', 'aria-label': 'Your situation' },
    h('h2', {}, 'Your situation'),
    h('p', { class: 'sub' }, 'Type a number or a range such as ', h('span', { class: 'whole' }, '25–35'), ', or drag.'),
    h(
      'div',
      { class: 'controls' },
      controls.map((control) => control.node),
    ),
    weighs,
    belief,
    asText,
    hook,
    h(
      'p',
      { class: 'acts' },
      h(
        'button',
        { type: 'button', class: 'link', 'data-act': 'reset', onclick: () => app.reset() },
        'Back to the author’s situation',
      ),
      h(
        'button',
        { type: 'button', class: 'link', 'data-act': 'link', onclick: () => app.copied(app.link(), 'Link copied.') },
        'Copy link',
      ),
    ),
  );
  function update(f) {
    const { state } = app;
    for (const control of controls) control.put(state);
    const { fpGap, fnGap } = means(state);
    const ratio = digits(fnGap / fpGap);
    say(weighs, `${words.Miss} weighs as much as ${ratio === '1' ? words.alarm : `${ratio} ${words.alarms}`}.`);
    belief.hidden = !state.belief;
    if (state.belief) {
      tell(
        belief,
        `In force: the author’s belief about conditions (${inWords(state.belief.text, app.speech)}). ` +
          'Any change replaces it; “Back to the author’s situation” brings it back.',
      );
    }
    const given = controls.map((control) => control.asText());
    tell(asText, state.belief ? `${capital(inWords(conditionText(f.decision), app.speech))}.` : given.join(' '), unit);
  }
  return { node, update, hook };
}
