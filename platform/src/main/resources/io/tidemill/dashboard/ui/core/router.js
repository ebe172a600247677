// The router: `#/jobs/ID?tab=events`. The URL alone determines the view, so back, forward, reload and sharing work.

/** The parsed URL. */
export function here() {
  const hash = location.hash.replace(/^#\/?/, '');
  const mark = hash.indexOf('?');
  const path = mark < 0 ? hash : hash.slice(0, mark);
  const parts = path.split('/').filter(Boolean).map(decoded);
  return { name: parts[0] || 'overview', parts: parts.slice(1), query: new URLSearchParams(mark < 0 ? '' : hash.slice(mark + 1)) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The URL of a view: `to('jobs', id)`, `to('search', {q: 'tide'})`. */
export function to(...parts) {
  const params = typeof parts.at(-1) === 'object' && parts.at(-1) !== null ? parts.pop() : {};
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, value);
  }
  const text = query.toString();
  return '#/' + parts.map((part) => encodeURIComponent(part)).join('/') + (text ? '?' + text : '');
}

/** Navigates; `replace` adds no history entry, as for filters while typing. */
export function go(address, { replace = false } = {}) {
  if (address === location.hash) return;
  if (!replace) {
    location.hash = address;
    return;
  }
  history.replaceState(history.state, '', address);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Changes some parameters of the URL. */
export function refine(changes, options = { replace: true }) {
  const at = here();
  const params = Object.fromEntries(at.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === null || value === '') delete params[name];
    else params[name] = value;
  }
  go(to(at.name, ...at.parts, params), options);
}
