// One ticker for every time on the page; it rests while nobody looks.
const listeners = new Set();
let timer = 0;

function tick() {
  if (!document.hidden) for (const listener of listeners) listener();
}

/** Calls back every second; returns what ends it. */
export function onTick(listener) {
  listeners.add(listener);
  if (listeners.size === 1) timer = setInterval(tick, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

document.addEventListener('visibilitychange', tick);
