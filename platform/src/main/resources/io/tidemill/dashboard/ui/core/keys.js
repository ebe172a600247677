// Keyboard shortcuts: `/` focuses the search, `g` and a letter opens a view, `?` lists them.
const waiting = { prefix: null, timer: 0 };
const actions = new Map();

/** Registers a shortcut of one or two keys (`g j`) with its description and action. */
export function shortcut(keys, title, action) {
  actions.set(keys, { title, action });
}

export const shortcuts = () => [...actions].map(([keys, { title }]) => ({ keys, title }));

function isTyping(target) {
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (document.querySelector('dialog[open]')) return;
  const keys = waiting.prefix ? `${waiting.prefix} ${event.key}` : event.key;
  clearTimeout(waiting.timer);
  waiting.prefix = null;
  const found = actions.get(keys);
  if (found) {
    event.preventDefault();
    found.action();
  } else if ([...actions.keys()].some((known) => known.startsWith(event.key + ' '))) {
    waiting.prefix = event.key;
    waiting.timer = setTimeout(() => { waiting.prefix = null; }, 1500);
  }
});
