// The one-page summary: one picture, so that screen, print and file are the same.
import { h, picture, s, t, textWidth, wrapped } from './dom.js';
import { marksPicture, sizeOf } from './marks.js';
import { count, digits, rough, share } from './numbers.js';
import { ratioSpan, staysText, times, trackPicture } from './question.js';
import { limitsText, looksSet, middle } from './state.js';

const [WIDTH, HEIGHT] = [1280, 720];

/** What the answer rests on, as short sentences. */
function assumptions(app, f) {
  const { state, words, summary } = app;
  const [low, high] = state.ratio;
  const ratio = low === high ? digits(low) : `${digits(low)} to ${digits(high)}`;
  const each = state.money === null ? '' : ` (${rough(state.money, app.unit())} each)`;
  const [from, to] = state.share;
  const shares = from === to ? share(from) : `${share(from)} to ${share(to)}`;
  const limits = limitsText(state.limits, words);
  const { price, right } = state.look;
  const look = looksSet(state) ? { price: rough(price, app.unit()), right: digits(100 * middle(right)) } : null;
  return [
    `One missed ${words.positive} costs as much as ${ratio} ${words.negatives} ${words.flagged}${each}.`,
    `${shares} of ${words.cases} are ${words.positives}.`,
    f.todayText ? `Today: ${f.todayText}.` : null,
    limits ? `Limits: ${limits}.` : null,
    look && app.speaker.say('page_look', { look }),
    summary.data.n === null ? null : `Tested on ${count(summary.data.n)} ${words.cases}; new ones come from the same population.`,
  ].filter(Boolean);
}

/** The whole page as one picture of 1280 × 720, in light colours. */
export function summaryPicture(app, ink, f) {
  const { words, summary } = app;
  const parts = [s('rect', { width: WIDTH, height: HEIGHT, fill: '#ffffff' })];
  const put = (...more) => parts.push(...more);
  const text = { size: 15, fill: ink.muted };
  const date = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
  put(t(56, 50, summary.title, ink.ink, 16, 650), t(1224, 50, date, { ...text, anchor: 'end' }));
  put(s('path', { d: 'M56 66H1224', stroke: ink.ink, 'stroke-width': 3 }));
  let y = 108;
  const lines = wrapped(f.text, 33, 650, 1168);
  const size = lines.length > 2 ? 26 : 33;
  for (const line of lines.length > 2 ? wrapped(f.text, 26, 650, 1168).slice(0, 3) : lines) {
    put(t(56, y, line, { size, weight: 650, fill: ink.ink, 'letter-spacing': '-0.4' }));
    y += size + 7;
  }
  y += 4;
  f.figures.forEach(([title, value, small, below], i) => {
    const x = 56 + 396 * i;
    if (i) put(s('path', { d: `M${x - 22} ${y - 14}v86`, stroke: ink.line }));
    put(t(x, y, title, text), t(x, y + 36, value, ink.ink, 31, 650));
    if (small) put(t(x + textWidth(value, 31, 650) + 12, y + 36, small, ink.ink, 15));
    wrapped(below, 14, 400, 352).forEach((line, k) => put(t(x, y + 60 + 18 * k, line, ink.muted)));
  });
  y += 122;
  const p = middle(app.state.share);
  const of = `Of ${count(sizeOf(p))} ${words.cases}`;
  let marks = null;
  for (let rows = 21; rows > 9; rows--) {
    const options = { rows, gap: 96 };
    marks = marksPicture({ ink, answer: f.answer, today: f.today, p, words, unit: app.unit(), speaker: app.speaker, width: 790, options });
    if (marks.height <= HEIGHT - y - 64) break;
  }
  const scale = Math.min(1, (HEIGHT - y - 64) / marks.height);
  const about = f.today ? 'one mark each; shaded: changes from today' : 'one mark each';
  put(t(56, y, of, ink.ink, 17, 650), t(66 + textWidth(of, 17, 650), y, about, ink.muted));
  put(s('g', { transform: `translate(56 ${y + 12}) scale(${scale.toFixed(3)})` }, [...marks.node.childNodes]));
  const left = 880;
  put(t(left, y, 'When the answer changes', ink.ink, 17, 650));
  let down = y + 24;
  const flips = staysText(app, f) || `Nowhere between ${ratioSpan(app.state.ratio).map(times).join(' and ')}.`;
  for (const line of wrapped(flips, 14.5, 400, 344)) {
    put(t(left, down, line, ink.ink, 14.5));
    down += 20;
  }
  const track = trackPicture(app, ink, 344, app.state.ratio, { height: 12, names: false });
  const knob = { cx: track.at(middle(app.state.ratio)), cy: track.y, r: 10, fill: '#ffffff', stroke: ink.ink, 'stroke-width': 3 };
  put(s('g', { transform: `translate(${left} ${down - 2})` }, track.drawn, s('circle', knob)));
  down += 66;
  put(t(left, down, 'What was assumed', ink.ink, 17, 650));
  down += 24;
  for (const sentence of assumptions(app, f)) {
    put(s('circle', { cx: left + 3, cy: down - 5, r: 2.4, fill: ink.muted }));
    for (const line of wrapped(sentence, 14.5, 400, 328)) {
      put(t(left + 14, down, line, ink.ink, 14.5));
      down += 20;
    }
    down += 3;
  }
  put(s('path', { d: `M${left} ${HEIGHT - 44}H1050M1070 ${HEIGHT - 44}H1224`, stroke: ink.edge }));
  const foot = { size: 13, fill: ink.muted };
  put(
    t(left, HEIGHT - 26, 'Decided by', foot),
    t(1070, HEIGHT - 26, 'Date', foot),
    t(56, HEIGHT - 26, `${summary.data.file ? `${summary.data.file} · ` : ''}isocost ${summary.provenance.isocost}`, foot),
  );
  return picture(WIDTH, HEIGHT, `Summary: ${f.text}`, parts);
}

/** The dialog that shows it, prints it and saves it. */
export function sheetView(app, { savePng, saveSvg }) {
  const paper = h('div', { class: 'paper' });
  const dialog = h('dialog', { class: 'sheet-dialog', 'aria-label': 'One-page summary' });
  const button = (text, act) => h('button', { type: 'button', class: 'button', onclick: act }, text);
  const printed = () => {
    document.documentElement.classList.add('isocost-sheet');
    const done = () => document.documentElement.classList.remove('isocost-sheet');
    addEventListener('afterprint', done, { once: true });
    print();
    setTimeout(done, 1000);
  };
  const head = [
    button('Print or PDF', printed),
    button('PNG', () => savePng('summary', paper.firstChild)),
    button('SVG', () => saveSvg('summary', paper.firstChild)),
    button('Close', () => dialog.close()),
  ];
  dialog.append(h('div', { class: 'dialog-head' }, h('h2', {}, 'One-page summary'), head), paper);
  return {
    node: dialog,
    open() {
      if (!app.facts.answer || app.state.ratio === null) return app.announce('Say what a mistake costs first.', true);
      paper.replaceChildren(summaryPicture(app, app.lightInk(), app.facts));
      return dialog.showModal();
    },
  };
}
