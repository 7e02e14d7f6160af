// ROC space: curves, hulls, the line of equal cost, lesser classifiers and the optimum to drag.
import { axes, draggable, h, path, s, say, set, onSteps, textWidth } from './dom.js';
import { along, hidden, insideFrame } from './free_spots.js';
import { isoCost } from './isometrics.js';
import { digits } from './numbers.js';

// The ring's radius, and from which distance on a threshold needs a line to it.
const [RING, LEAD_FROM] = [9, 24];

/** What scores counted together in buckets leave open of the thin lines. */
function bucketNote(app) {
  const within = Math.max(...app.summary.models.map((m) => m.roc.within));
  return within
    ? ' Scores were counted together in buckets: the thick lines are exact; the area under the thin lines is known ' +
        `to within ${digits(within, 2)}.`
    : '';
}

/** @param app the page: data, state, moveTo, nudge. */
export function rocView(app) {
  const { words } = app.summary;
  const svg = s('svg', { class: 'panel roc', role: 'group', 'aria-label': `Caught against wrongly ${words.flagged}` });
  const looks = h(
    'span',
    {},
    ' Second looks: squares where they begin and end; the ring is the best single threshold.',
  );
  const node = h(
    'section',
    { class: 'view' },
    h('h2', {}, `Caught against wrongly ${words.flagged}`),
    h(
      'p',
      { class: 'sub' },
      'Every threshold is a point (ROC space). Points on the dashed line cost the same as the best one; ' +
        'the shaded side costs more.',
      h('span', { class: 'by-hand' }, ' Drag the ring.'),
      bucketNote(app),
      looks,
    ),
    h('div', { class: 'plot' }, svg),
  );
  let frame;
  let parts;
  // Points of what is drawn, which the threshold should not hide.
  let drawn = [];
  // Points of every empirical curve, which the legend should not hide.
  let raw = [];
  const X = (v) => frame.left + v * frame.width;
  const Y = (v) => frame.top + (1 - v) * frame.height;

  function draw(width) {
    const side = Math.min(width - 62, 460);
    frame = { left: 52, top: 10, width: side, height: side };
    set(svg, { viewBox: `0 0 ${side + 62} ${side + 54}`, width: side + 62, height: side + 54 });
    svg.textContent = '';
    const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1];
    parts = {
      shade: s('path', { class: 'lesser' }),
      iso: s('line', { class: 'iso' }),
      dots: app.data.models.map((_, m) => s('circle', { class: 'dot', r: 4, 'data-model': m })),
      band: s('path', { class: 'look-band' }),
      legend: s('g', { class: 'legend' }),
      leader: s('path', { class: 'leader' }),
      cut: s('text', { class: 'strong halo' }),
    };
    svg.append(
      parts.shade,
      axes(
        frame,
        {
          ticks: ticks.map((v) => [X(v), `${100 * v}`]),
          title: `% of ${words.negatives} ${words.flagged}`,
          below: 5,
          drop: 38,
        },
        { ticks: ticks.map((v) => [Y(v), `${100 * v}`]), title: `% of ${words.positives} caught`, away: 13 },
      ),
    );
    raw = [];
    drawn = along([
      [X(0), Y(0)],
      [X(1), Y(1)],
    ]);
    svg.append(s('line', { class: 'chance', x1: X(0), y1: Y(0), x2: X(1), y2: Y(1) }));
    app.summary.models.forEach((model, m) => {
      const { fp, tp } = model.roc;
      const [n, p] = [fp[fp.length - 1], tp[tp.length - 1]];
      svg.append(
        s('path', { class: 'line raw', 'data-model': m, d: path(fp.map((v, i) => [X(v / n), Y(tp[i] / p)])) }),
      );
      raw.push(...fp.map((v, i) => [X(v / n), Y(tp[i] / p)]));
      const hull = app.data.models[m].fpr.map((v, i) => [X(v), Y(app.data.models[m].tpr[i])]);
      if (app.looks()[m].named) drawn.push(...along(hull));
      svg.append(s('path', { class: 'line', 'data-model': m, d: path(hull) }));
    });
    parts.ring = s('circle', {
      class: 'handle',
      r: RING,
      tabindex: 0,
      role: 'slider',
      'aria-label': 'Optimum in ROC space',
      'aria-valuemin': 0,
      'aria-valuemax': 1,
      'aria-orientation': 'horizontal',
    });
    svg.append(parts.iso, parts.legend, parts.leader, ...parts.dots, parts.band, parts.ring, parts.cut);
    onSteps(parts.ring, app.nudge);
    draggable(svg, svg, ([x, y]) => {
      const follow = ([px, py]) =>
        app.moveTo(1 - tOf((px - frame.left) / frame.width, 1 - (py - frame.top) / frame.height));
      if (x < frame.left - 10 || y > frame.top + frame.height + 10) return null;
      parts.ring.focus();
      follow([x, y]);
      return follow;
    });
    legend();
  }

  function legend() {
    parts.legend.textContent = '';
    const [shown, rest] = [true, false].map((named) => app.looks().filter((look) => look.named === named));
    // Lines that have no colour of their own share a row.
    const rows = [...shown, ...rest.slice(0, 1)];
    const names = rows.map((look) =>
      look.named ? app.names[look.model] : `${rest.length} other model${rest.length > 1 ? 's' : ''}`,
    );
    const [right, bottom] = legendAt(Math.max(...names.map((name) => textWidth(name))) + 34, 18 * rows.length);
    rows.forEach((look, i) => {
      const y = bottom - 6 - 18 * (rows.length - 1 - i);
      const name = names[i];
      parts.legend.append(s('text', { x: right - 34, y: y + 4, 'text-anchor': 'end' }, name));
      parts.legend.append(
        s('line', { class: 'line', 'data-model': look.model, x1: right - 28, x2: right, y1: y, y2: y }),
      );
    });
  }

  /** The right and lower end of the legend: in the corner, or further in where scores run the wrong way. */
  function legendAt(width, height) {
    const places = [
      [1, 0],
      [0.7, 0.05],
      [0.6, 0.05],
      [1, 0.1],
    ].map(([u, v]) => [X(u) - 8, Y(v) - 6]);
    const hides = places.map(([right, bottom]) => hidden([right - width, bottom - height, right, bottom], raw));
    return places[hides.indexOf(Math.min(...hides))];
  }

  // Each winning point owns the halves of the hull edges beside it; along them t runs over its range.
  function tOf(x, y) {
    const at = app.hull;
    let best = { gap: Infinity, t: 0.5 };
    const consider = (ax, ay, bx, by, ta, tb) => {
      const [dx, dy] = [bx - ax, by - ay];
      const length = dx * dx + dy * dy;
      const u = length ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
      const gap = (x - ax - u * dx) ** 2 + (y - ay - u * dy) ** 2;
      if (gap < best.gap) best = { gap, t: ta + u * (tb - ta) };
    };
    at.forEach((v, i) => {
      const middle = (v.t_low + v.t_high) / 2;
      const next = at[i + 1];
      if (at.length === 1) consider(v.x, v.y, v.x, v.y, middle, middle);
      if (!next) return;
      const [mx, my] = [(v.x + next.x) / 2, (v.y + next.y) / 2];
      consider(v.x, v.y, mx, my, middle, v.t_high);
      consider(mx, my, next.x, next.y, v.t_high, (next.t_low + next.t_high) / 2);
    });
    return best.t;
  }

  function update(f, spoken) {
    const line = isoCost(f.decision.normalised_cost, f.t);
    if (line) {
      const [[ax, ay], [bx, by]] = line;
      set(parts.iso, { x1: X(ax), y1: Y(ay), x2: X(bx), y2: Y(by) });
      // Everything right of and below the line; corners that cost more than the optimum belong to it.
      const corners = [
        [0, 0],
        [1, 0],
        [1, 1],
      ].filter(([x, y]) => f.t * x + (1 - f.t) * (1 - y) > f.decision.normalised_cost + 1e-9);
      set(parts.shade, { d: `${path([[ax, ay], ...corners, [bx, by]].map(([x, y]) => [X(x), Y(y)]))}Z` });
    }
    f.byModel.forEach((r, m) => {
      const seen = r.fpr !== null;
      set(parts.dots[m], { cx: X(r.fpr ?? 0), cy: Y(r.tpr ?? 0), visibility: seen ? 'visible' : 'hidden' });
    });
    set(parts.ring, {
      cx: X(f.decision.fpr),
      cy: Y(f.decision.tpr),
      'aria-valuenow': f.pcf.toFixed(6),
      'aria-valuetext': spoken,
    });
    const score = /≥ .*/.exec(f.decision.rule);
    const { review } = f.answer;
    const [flag, reached] = review?.reviewed > 0 ? [review.flag_choice, review.review_choice] : [];
    looks.hidden = !flag;
    parts.band.style.display = flag ? '' : 'none';
    if (flag) set(parts.band, { d: [flag, reached].map(({ fpr, tpr }) => `M${X(fpr)} ${Y(tpr)}h0`).join('') });
    say(parts.cut, score && !flag ? `score ${score[0]}` : '');
    const ring = [X(f.decision.fpr), Y(f.decision.tpr)];
    const { left, base, size } = cutAt(...ring, line);
    set(parts.cut, { x: left, y: base });
    leadTo(ring, [left - 2, base - 11, left + size + 2, base + 4]);
  }

  /** A thin line from the ring to its threshold, where that had to stand away. */
  function leadTo([x, y], [left, top, right, bottom]) {
    const [toX, toY] = [Math.min(Math.max(x, left), right), Math.min(Math.max(y, top), bottom)];
    const far = Math.hypot(toX - x, toY - y);
    const seen = parts.cut.textContent && far > LEAD_FROM;
    const [fromX, fromY] = [x + ((toX - x) * RING) / far, y + ((toY - y) * RING) / far];
    set(parts.leader, { d: seen ? `M${fromX} ${fromY}L${toX} ${toY}` : '' });
  }

  /** Where the threshold hides least: around the ring, the shaded side first. */
  function cutAt(x, y, line) {
    const size = textWidth(parts.cut.textContent, true);
    const dashed = line ? along(line.map(([a, b]) => [X(a), Y(b)])) : [];
    let [best, least] = [null, Infinity];
    for (const down of [22, 36, 54, 74, 100, 130, -16]) {
      for (const left of [x + 14, x - size / 2, x - 14 - size]) {
        const box = [left - 3, y + down - 13, left + size + 3, y + down + 5];
        const onRing = Math.abs(left + size / 2 - x) < size / 2 && down < 30;
        let bad = down / 20 + (insideFrame(box, frame) ? 0 : 50) + (onRing ? 9 : 0);
        // A place that is worse already needs no further look.
        if (bad < least) bad += hidden(box, drawn) + hidden(box, dashed);
        if (bad < least) [best, least] = [{ left, base: y + down, size }, bad];
      }
    }
    return best;
  }

  return { node, svg, draw, update, legend, name: 'roc', title: `Caught against wrongly ${words.flagged}` };
}
