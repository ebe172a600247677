// Runs before the first paint and while the modules load: applies the theme and sends the first requests. It blocks, so it is short.
(() => {
  try {
    const theme = localStorage.getItem('tidemill-theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.setAttribute('data-theme', theme);
  } catch {
    // without local storage: the system's theme
  }
  const base = new URL('../..', document.currentScript.src).pathname.replace(/\/$/, '');
  const first = ['/api/session'];
  if (/^(#\/?(overview)?)?$/.test(location.hash)) first.push('/api/overview');
  const init = { credentials: 'same-origin', redirect: 'error', headers: { Accept: 'application/json' } };
  globalThis.tidemillEarly = new Map(first.map((path) => {
    const answer = fetch(base + path, init);
    answer.catch(() => {}); // reported to the caller of the request
    return [path, answer];
  }));
})();
