// The gateway's clock, and one ticker for all times on the page; it pauses while the page is hidden.
const listeners = new Set();
const NOTABLE = 2000;
let timer = 0;
let ahead = 0;

/** The gateway's time in milliseconds: countdowns work even if the browser's clock is wrong. */
export const now = () => Date.now() + ahead;

/** Adjusts the clock by a response's `Date`, which is exact to a second. */
export function setClock(date) {
  const off = Date.parse(date) + 500 - Date.now();
  if (!Number.isNaN(off)) ahead = Math.abs(off) > NOTABLE ? off : 0;
}

function tick() {
  if (!document.hidden) for (const listener of listeners) listener();
}

/** Calls back every second; returns a function that stops it. */
export function onTick(listener) {
  listeners.add(listener);
  if (listeners.size === 1) timer = setInterval(tick, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

document.addEventListener('visibilitychange', tick);
