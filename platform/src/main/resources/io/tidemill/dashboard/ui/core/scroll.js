// Scroll positions of history entries, restored by back and forward.
const PATIENCE = 5000;
const MOST = 100;

const places = new Map();
let step = 0;
let last = 0;
let wanted = null;

history.scrollRestoration = 'manual';

function current() {
  if (!places.has(step)) places.set(step, { y: 0, tops: {} });
  if (places.size > MOST) places.delete(places.keys().next().value);
  return places.get(step);
}

/** Called on navigation; returns whether the history entry was visited before. */
export function arrive() {
  const known = history.state?.tmStep;
  wanted = null;
  if (known === undefined) {
    last += 1;
    step = last;
    history.replaceState({ tmStep: step }, '');
    return false;
  }
  const back = known !== step;
  step = known;
  last = Math.max(last, step);
  if (back) wanted = { until: Date.now() + PATIENCE, ...structuredClone(current()) };
  return back;
}

/** Restores the scroll position as soon as the view is tall enough. */
export function restore(main) {
  const goal = wanted;
  if (!goal?.y) return;
  const grow = new ResizeObserver(() => {
    if (goal !== wanted || Date.now() > goal.until) return grow.disconnect();
    window.scrollTo(0, goal.y);
    if (window.scrollY >= goal.y - 1) grow.disconnect();
  });
  grow.observe(main);
}

/** The scroll position of a list with its own scroll bar; undefined when there is none. */
export const topOf = (name) => (wanted && Date.now() < wanted.until ? wanted.tops[name] : undefined);

export function noteTop(name, top) {
  current().tops[name] = top;
}

// Scrolling by the user cancels it.
for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown']) window.addEventListener(type, () => { wanted = null; }, { passive: true, capture: true });
window.addEventListener('scroll', () => { if (!wanted) current().y = window.scrollY; }, { passive: true });
