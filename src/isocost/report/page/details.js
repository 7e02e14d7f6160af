// What an expert asks next: every sentence, other ways of choosing thresholds, equal-value lines, measures, method.
import { h, path, s, say, set, square, unitFrame } from './dom.js';
import { decisionCard } from './card.js';
import { costView } from './cost.js';
import { calibrationView, measuresView, methodView } from './measures.js';
import { differenceView, winnersView } from './strips.js';
import { surfaceView } from './surface.js';
import { optimalCost } from './core.js';
import { METRICS, contour, lesserArea } from './isometrics.js';
import { digits } from './numbers.js';
import { whenSeen } from './visibility.js';

// Milliseconds without a change of prevalence after which equal-value lines are drawn anew.
const LINES_WAIT = 120;

function lesserView(app) {
  const svg = s('svg', {
    class: 'panel',
    role: 'img',
    'aria-label': 'Area of lesser classifiers of each model at every condition',
  });
  const node = h(
    'section',
    {},
    h('h3', {}, 'Lesser classifiers'),
    h(
      'p',
      { class: 'hint' },
      'The share of all conceivable classifiers that are no better than the model. ' +
        'Its mean over all conditions is the VOROS.',
    ),
    svg,
  );
  let cursor;
  let at;
  function draw(width) {
    const frame = square(Math.min(width - 66, 340));
    at = unitFrame(svg, frame, 'PCF(+)', 'area of lesser classifiers');
    app.data.models.forEach((model, m) => {
      const points = [];
      for (let i = 1; i < 200; i++) {
        points.push([at.X(i / 200), at.Y(lesserArea(optimalCost(model, 1 - i / 200), 1 - i / 200))]);
      }
      svg.append(s('path', { class: 'line', 'data-model': m, d: path(points) }));
    });
    cursor = s('line', { class: 'cursor', y1: at.Y(0), y2: at.Y(1) });
    svg.append(cursor);
  }
  return {
    node,
    svg,
    name: 'lesser',
    title: 'Lesser classifiers',
    draw,
    update: (f) => set(cursor, { x1: at.X(f.pcf), x2: at.X(f.pcf) }),
  };
}

function isometricsView(app) {
  const names = Object.keys(METRICS);
  const pick = h(
    'select',
    { 'aria-label': 'Metric', onchange: () => app.refresh() },
    names.map((name) => h('option', { value: name }, name)),
  );
  const svg = s('svg', {
    class: 'panel isometrics',
    role: 'img',
    'aria-label': 'Lines on which the metric is constant',
  });
  const node = h(
    'section',
    {},
    h('h3', {}, 'Isometrics of ', pick),
    h(
      'p',
      { class: 'hint' },
      'Points of ROC space on one line have the same value at this prevalence. ' +
        'The dots are the models at this condition.',
    ),
    svg,
  );
  let side = 300;
  let drawn = null;
  let dots = [];
  let at = null;
  let waiting = null;
  // The prevalence of the lines.
  let linesAt = null;
  function lines(p) {
    linesAt = p;
    at = unitFrame(svg, square(side), 'FPR', 'TPR');
    const metric = METRICS[pick.value];
    const top = metric(0.0001, 1, p);
    const bottom = metric(1, 0.0001, p);
    for (let i = 1; i < 10; i++) {
      const level = bottom + ((top - bottom) * i) / 10;
      const segments = contour((x, y) => metric(x, y, p), level);
      if (!segments.length) continue;
      svg.append(
        s('path', {
          class: 'contour',
          d: segments
            .map(
              ([[ax, ay], [bx, by]]) =>
                `M${at.X(ax).toFixed(1)} ${at.Y(ay).toFixed(1)}L${at.X(bx).toFixed(1)} ${at.Y(by).toFixed(1)}`,
            )
            .join(''),
        }),
      );
      const [x, y] = segments[Math.floor(segments.length / 2)][0];
      svg.append(s('text', { class: 'aside halo', x: at.X(x), y: at.Y(y), 'text-anchor': 'middle' }, digits(level, 2)));
    }
    dots = app.data.models.map((_, m) => s('circle', { class: 'dot', 'data-model': m, r: 4 }, s('title', {})));
    svg.append(...dots);
    app.paint();
  }
  function update(f) {
    // The lines depend on the metric and the prevalence only; while that is dragged they wait, and the dots move.
    const now = `${pick.value} ${side}`;
    if (now !== drawn) lines(f.p);
    else if (f.p !== linesAt) {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        lines(app.facts.p);
        update(app.facts);
      }, LINES_WAIT);
    }
    drawn = now;
    const metric = METRICS[pick.value];
    f.byModel.forEach((r, m) => {
      const seen = r.fpr !== null;
      set(dots[m], { cx: at.X(r.fpr ?? 0), cy: at.Y(r.tpr ?? 0), visibility: seen ? 'visible' : 'hidden' });
      if (!seen) return;
      say(dots[m].firstChild, `${r.model}: ${digits(metric(r.fpr, r.tpr, f.p))}`);
    });
  }
  return {
    node,
    svg,
    name: 'isometrics',
    title: 'Isometrics',
    draw(width) {
      side = Math.min(width - 66, 340);
      drawn = null;
    },
    update,
  };
}

/** What the answer above has that the views of single thresholds do not tell of. */
const LOOKED =
  'The answer has a person look at some cases. The curves below tell of single thresholds, without second looks.';
const LIMITED_ABOVE = 'The answer keeps your limits. The curves below tell of single thresholds, without limits.';

/** A view on the whole width of the drawer. */
const wide = (view) => {
  view.node.classList.add('wide');
  return view;
};

/** The experts' drawer: its views are drawn when it is opened. */
export function detailsView(app) {
  const shared = [costView(app), winnersView(app), ...(app.data.models.length > 1 ? [differenceView(app)] : [])].map(
    wide,
  );
  const views = [
    ...shared,
    lesserView(app),
    surfaceView(app),
    isometricsView(app),
    calibrationView(app),
    measuresView(app),
    methodView(app),
  ].filter(Boolean);
  const seen = whenSeen(views);
  const card = decisionCard(app);
  const apart = h('p', { class: 'hint wide apart', hidden: true });
  const grid = h(
    'div',
    { class: 'details-grid' },
    card.node,
    apart,
    views.map((view) => view.node),
  );
  const node = h(
    'details',
    { class: 'details', ontoggle: () => app.redraw() },
    h(
      'summary',
      {},
      h('span', { class: 'h2' }, 'For experts'),
      ': equal-value lines, ways of choosing thresholds, measures, calibration, method',
    ),
    grid,
  );
  const show = () => {
    if (node.open) return;
    node.open = true;
    app.redraw();
  };
  return {
    node,
    panels: views.filter((view) => view.name).map((view) => ({ ...view, show })),
    draw() {
      if (node.open) for (const view of views) view.draw(view.node.clientWidth || 600);
    },
    update(f, spoken) {
      card.update(f);
      const { limits, review } = app.state;
      apart.hidden = !limits && !review;
      say(apart, review ? LOOKED : LIMITED_ABOVE);
      if (node.open) seen.update(f, spoken);
    },
    /** Bring all views up to date, in sight or not; of a closed drawer none is drawn. */
    settle() {
      if (node.open) seen.all();
    },
  };
}
