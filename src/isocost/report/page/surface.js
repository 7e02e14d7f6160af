// The ROC surface: lines of equal cost through the optimum, one for every condition.
import { h, say, set } from './dom.js';
import { optimalCost } from './core.js';
import { isoCost } from './isometrics.js';

export function surfaceView(app) {
  const canvas = h('canvas', {
    class: 'surface',
    role: 'slider',
    tabindex: 0,
    'aria-label': 'ROC surface of the chosen model, turned by',
    'aria-valuemin': -180,
    'aria-valuemax': 180,
  });
  const about =
    'Lines of equal cost through the optimum, stacked over PCF(+). The volume on their worse side is the VOROS; ' +
    'the outlined slice is this condition. Drag to turn it, or use the arrow keys.';
  const hint = h('p', { class: 'hint' }, about);
  const node = h('section', {}, h('h3', {}, 'ROC surface'), hint, canvas);
  let turn = -0.7;
  let size = 320;
  let latest = null;
  function turnTo(angle) {
    turn = Math.atan2(Math.sin(angle), Math.cos(angle));
    const degrees = Math.round((turn * 180) / Math.PI);
    set(canvas, { 'aria-valuenow': degrees, 'aria-valuetext': `${degrees} degrees` });
    if (latest) update(latest);
  }
  turnTo(turn);
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageUp: 45, PageDown: -45 }[event.key];
    if (!step && event.key !== 'Home') return;
    event.preventDefault();
    turnTo(event.key === 'Home' ? -0.7 : turn + (step * (event.shiftKey ? 3 : 1) * Math.PI) / 180);
  });
  canvas.addEventListener('pointerdown', (event) => {
    const [start, from] = [event.clientX, turn];
    const move = (e) => turnTo(from + (e.clientX - start) / 150);
    const stop = () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', stop);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', stop);
  });
  const tones = new Map();
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const sheets = new Map();
  /** The lines of a model's surface, worked out once. */
  function sheet(m) {
    if (!sheets.has(m)) {
      const found = [];
      for (let i = 1; i < 100; i++) {
        const ends = isoCost(optimalCost(app.data.models[m], i / 100), i / 100);
        if (ends) found.push({ ends, t: i / 100 });
      }
      sheets.set(m, found);
    }
    return sheets.get(m);
  }
  /** A colour of the style sheet. Asking for it lays the page out anew, so it is kept while the theme is. */
  function tone(name) {
    const key = `${app.view.theme} ${dark.matches} ${name}`;
    if (!tones.get(key)) tones.set(key, getComputedStyle(canvas).getPropertyValue(name));
    return tones.get(key);
  }
  function draw(width) {
    size = Math.min(width - 10, 360);
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    set(canvas, { width: Math.round(size * ratio), height: Math.round(size * ratio) });
    canvas.style.width = `${size}px`;
    canvas.style.height = `${size}px`;
  }
  function update(f) {
    latest = f;
    const pen = canvas.getContext('2d');
    const scale = canvas.width / size;
    const m = Math.max(f.chosen, 0);
    const model = app.data.models[m];
    const colour = tone(app.looks()[m].colour) || tone('--grey');
    const [c, n] = [Math.cos(turn), Math.sin(turn)];
    const at = (x, y, t) => {
      const [u, v] = [x - 0.5, y - 0.5];
      const [a, b] = [u * c - v * n, u * n + v * c];
      return [size / 2 + a * size * 0.48, size / 2 + b * size * 0.24 + (0.5 - t) * size * 0.5];
    };
    const line = (points, close) => {
      pen.beginPath();
      points.forEach((p, i) => (i ? pen.lineTo(...at(...p)) : pen.moveTo(...at(...p))));
      if (close) pen.closePath();
    };
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, size, size);
    pen.lineWidth = 1;
    pen.strokeStyle = tone('--edge');
    for (const t of [0, 1]) {
      line(
        [
          [0, 0, t],
          [1, 0, t],
          [1, 1, t],
          [0, 1, t],
        ],
        true,
      );
      pen.stroke();
    }
    for (const [x, y] of [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]) {
      line([
        [x, y, 0],
        [x, y, 1],
      ]);
      pen.stroke();
    }
    pen.strokeStyle = colour;
    pen.globalAlpha = 0.5;
    pen.beginPath();
    for (const { ends, t } of sheet(m)) {
      pen.moveTo(...at(...ends[0], t));
      pen.lineTo(...at(...ends[1], t));
    }
    pen.stroke();
    pen.globalAlpha = 1;
    // Without an error nothing is better: the lines are points, and the surface is an edge of the cube.
    const flawless = sheet(m).every(({ ends: [a, b] }) => Math.hypot(a[0] - b[0], a[1] - b[1]) < 1e-9);
    say(hint, flawless ? `${about} Without an error it shrinks to the thick edge.` : about);
    if (flawless) {
      pen.lineWidth = 4;
      line([
        [0, 1, 0],
        [0, 1, 1],
      ]);
      pen.stroke();
    }
    pen.strokeStyle = tone('--ink');
    pen.lineWidth = 1.6;
    line(
      [
        [0, 0, f.t],
        [1, 0, f.t],
        [1, 1, f.t],
        [0, 1, f.t],
      ],
      true,
    );
    pen.stroke();
    const ends = isoCost(optimalCost(model, f.t), f.t);
    if (ends) {
      pen.lineWidth = 3;
      line(ends.map(([x, y]) => [x, y, f.t]));
      pen.stroke();
    }
    pen.fillStyle = tone('--ink');
    pen.font = '12px system-ui, sans-serif';
    pen.textAlign = 'center';
    // An axis is named at whichever of its edges is in front.
    const front = (p, q) => (at(...p)[1] > at(...q)[1] ? p : q);
    const names = [
      ['FPR', front([0.5, -0.16, 0], [0.5, 1.16, 0])],
      ['TPR', front([-0.16, 0.5, 0], [1.16, 0.5, 0])],
      ['PCF(+) 1', [-0.09, -0.09, 0]],
      ['PCF(+) 0', [-0.09, -0.09, 1]],
    ];
    for (const [text, place] of names) {
      const [x, y] = at(...place);
      const half = pen.measureText(text).width / 2;
      // The ends of PCF(+) are named beside their corner, on the side away from the surface.
      const aside = text.startsWith('PCF') ? (x < at(0.5, 0.5, 0)[0] ? -half : half) : 0;
      pen.fillText(text, Math.min(Math.max(x + aside, half + 1), size - half - 1), y);
    }
  }
  return { node, canvas, name: 'surface', title: 'ROC surface', draw, update };
}
