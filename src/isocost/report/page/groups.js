// What equal rates cost at a tolerance that the reader drags; everything else about groups is written by Python.
import { h, set } from './dom.js';
import { priceAt, pricesText } from './group_prices.js';
import { digits } from './numbers.js';

const TOLERANCES = 200;

/** What Python wrote about groups of cases, to be moved to its place; null where there are none. */
export function groupsSection(app, root) {
  const node = root.querySelector('.static .groups');
  const place = node && node.querySelector('.tolerance');
  if (!place) return node;
  const { groups, unit } = app.summary;
  const most = Math.max(...groups.prices.map((curve) => curve.tolerance[curve.tolerance.length - 1]));
  const said = h('output', {});
  const slider = h('input', { type: 'range', min: 0, max: TOLERANCES, step: 1, value: 0 });
  const show = () => {
    const tolerance = (most * Number(slider.value)) / TOLERANCES;
    said.textContent = pricesText(
      groups.prices.map((curve) => [curve.criterion, priceAt(curve, tolerance)]),
      tolerance,
      unit,
    );
    set(slider, { 'aria-valuetext': `${digits(100 * tolerance)} points` });
  };
  slider.addEventListener('input', show);
  place.append(h('label', {}, 'Tolerance', slider, said));
  show();
  return node;
}
