// A slider of one value, or of both ends of a range.
import { h, set } from './dom.js';

const STEPS = 400;

/**
 * @param {string} label
 * @param {{to: function, from: function}} scale a value as a place in [0, 1], and back
 * @param {function} moved called with the pair
 * @param {function} spoken a value in words
 */
export function pairSlider(label, scale, moved, spoken) {
  const thumbs = ['low', 'high'].map((end) =>
    h('input', { type: 'range', min: 0, max: STEPS, step: 1, 'data-end': end, 'aria-label': label }),
  );
  const fill = h('span', { class: 'fill' });
  const node = h('div', { class: 'dual' }, h('span', { class: 'track' }), fill, thumbs);
  let wide = false;
  let now = [0, 0];
  thumbs.forEach((thumb, i) => {
    thumb.addEventListener('input', () => {
      const value = scale.from(Number(thumb.value) / STEPS);
      if (!wide) moved([value, value]);
      else if (i) moved([Math.min(now[0], value), value]);
      else moved([value, Math.max(now[1], value)]);
    });
  });
  function put(pair) {
    now = pair;
    wide = pair[0] !== pair[1];
    const places = pair.map((value) => Math.min(Math.max(scale.to(value), 0), 1));
    thumbs.forEach((thumb, i) => {
      thumb.value = STEPS * places[i];
      const name = wide ? `${label}, ${i ? 'highest' : 'lowest'}` : label;
      set(thumb, { 'aria-valuetext': spoken(pair[i]), 'aria-label': name });
    });
    thumbs[0].hidden = !wide;
    fill.style.left = `calc(9px + ${places[0]} * (100% - 18px))`;
    fill.style.width = wide ? `calc(${places[1] - places[0]} * (100% - 18px))` : '0';
  }
  return { node, put };
}
