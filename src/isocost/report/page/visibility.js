// Views that are out of sight wait: they are brought up to date when they come back.

/**
 * @param {object[]} views each with `node`, `draw(width)` and `update(facts, spoken)`
 * @returns {{update: function, draw: function, all: function}}
 */
export function whenSeen(views) {
  const seen = new Set(views);
  const stale = new Map();
  const byNode = new Map(views.map((view) => [view.node, view]));
  const refresh = (view) => {
    const late = stale.get(view);
    if (!late) return;
    stale.delete(view);
    view.update(...late);
  };
  if (typeof IntersectionObserver === 'function') {
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const view = byNode.get(target);
          if (isIntersecting) {
            seen.add(view);
            refresh(view);
          } else seen.delete(view);
        }
      },
      { rootMargin: '200px 0px' },
    );
    for (const view of views) watcher.observe(view.node);
  }
  return {
    /** Bring what is in sight up to date. */
    update(...facts) {
      for (const view of views) {
        stale.set(view, facts);
        if (seen.has(view)) refresh(view);
      }
    },
    /** Bring everything up to date, for paper and exports. */
    all() {
      for (const view of views) refresh(view);
    },
  };
}
