// Runs before anything is drawn and while the modules are on their way: the reader's choice of light or dark, and the first questions to the gateway.
// A plain script that blocks, so it is short.
(() => {
  try {
    const theme = localStorage.getItem('tidemill-theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.setAttribute('data-theme', theme);
  } catch {
    // a browser that keeps nothing: as the system says
  }
  const first = ['/api/session'];
  if (/^(#\/?(overview)?)?$/.test(location.hash)) first.push('/api/overview');
  const init = { credentials: 'same-origin', redirect: 'error', headers: { Accept: 'application/json' } };
  globalThis.tidemillAsked = new Map(first.map((path) => {
    const answer = fetch(path, init);
    answer.catch(() => {}); // who asks for it hears of it
    return [path, answer];
  }));
})();
