// The frame around every view: where to go, the box that finds everything, who is here, and whether the gateway answers.
import { Part, html, nothing } from './core/element.js';
import { connection, onSignedOut } from './core/api.js';
import { session } from './core/session.js';
import { theme } from './core/theme.js';
import { here, to, go } from './core/router.js';
import { shortcut, shortcuts } from './core/keys.js';
import { icon } from './core/icons.js';
import './parts/basics.js';
import './parts/dialog.js';
import './parts/action.js';
import './parts/find.js';

/** The views: where their module is, and the letter that goes there after `g`. */
const VIEWS = [
  { name: 'overview', title: 'Overview', key: 'o' },
  { name: 'crawls', title: 'Crawls', key: 'c' },
  { name: 'search', title: 'Search', key: 's' },
  { name: 'workflows', title: 'Workflows', key: 'w' },
  { name: 'tasks', title: 'Tasks', key: 't' },
  { name: 'jobs', title: 'Jobs', key: 'j' },
  { name: 'analytics', title: 'Analytics', key: 'a' },
  { name: 'dead', title: 'Dead letters', key: 'd' },
  { name: 'traces', title: 'Traces', key: 'r' },
  { name: 'contracts', title: 'Contracts', key: 'k' },
  { name: 'servers', title: 'Servers', key: 'v' },
  { name: 'audit', title: 'Audit', key: 'u', needs: 'admin' },
];

class App extends Part {
  static properties = { route: { state: true }, view: { state: true }, failed: { state: true }, menu: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener('hashchange', () => this.show());
    session.addEventListener('change', () => this.show());
    connection.addEventListener('change', () => this.requestUpdate());
    theme.addEventListener('change', () => this.requestUpdate());
    onSignedOut(() => { if (session.role !== null) session.refresh().catch(() => {}); });
    for (const view of VIEWS) shortcut(`g ${view.key}`, `Go to ${view.title}`, () => go(to(view.name)));
    shortcut('/', 'Find anything', () => this.querySelector('tm-find input')?.focus());
    shortcut('?', 'Show these keys', () => this.querySelector('#keys').show());
    shortcut('n', 'Start something new here', () => {
      const found = this.querySelector('main [data-new]');
      (found?.querySelector('button') ?? found)?.click();
    });
    this.start();
  }

  async start() {
    try {
      await session.refresh();
    } catch {
      setTimeout(() => this.start(), 2000);
    }
  }

  async show() {
    if (!session.known) return;
    const route = here();
    const name = session.role === null ? 'login' : VIEWS.some((view) => view.name === route.name) ? route.name : 'missing';
    const moved = this.view !== name || this.route?.parts.join('/') !== route.parts.join('/');
    try {
      if (name !== 'missing') await import(`./views/${name}.js`);
      this.failed = null;
    } catch (broken) {
      this.failed = broken;
    }
    this.route = route;
    this.view = name;
    this.menu = false;
    const title = VIEWS.find((view) => view.name === name)?.title ?? (name === 'login' ? 'Sign in' : 'Not found');
    document.title = `${[...route.parts.slice(0, 1), title].join(' · ')} · Tidemill`;
    if (moved) {
      await this.updateComplete;
      window.scrollTo(0, 0);
      if (this.shown) this.querySelector('main h1')?.focus({ preventScroll: true }); // screen readers hear where they are
      this.shown = true;
    }
  }

  content() {
    if (this.failed) return html`<tm-problem .problem=${new Error('This view could not be loaded; a newer version may be running. Reload the page.')} @again=${() => location.reload()}></tm-problem>`;
    if (!this.view) return html`<p class="dim" aria-busy="true">One moment…</p>`;
    if (this.view === 'missing') return html`<h1 tabindex="-1">Not found</h1><p>There is no view of this name. <a href="#/overview">Overview</a></p>`;
    const element = this.views?.get(this.view) ?? document.createElement(`tm-${this.view}`);
    this.views = new Map([[this.view, element]]);
    element.route = this.route;
    return element;
  }

  who() {
    if (!session.authentication) return session.readOnly ? html`<span class="pill calm">read-only</span>` : nothing;
    return html`${session.readOnly ? html`<span class="pill calm">read-only</span>` : nothing}
      <span class="who" title=${`Role: ${session.role}`}>${session.name ?? 'signed in'} <small>${session.role}</small></span>
      <button type="button" class="quiet" @click=${() => session.signOut()}>Sign out</button>`;
  }

  nav() {
    return html`<nav aria-label="Views" id="nav" class=${this.menu ? 'open' : ''}><ul>${VIEWS.filter((view) => !view.needs || session.may(view.needs) || session.readOnly).map((view) => html`<li>
      <a href=${to(view.name)} aria-current=${this.view === view.name ? 'page' : nothing} title=${`g ${view.key}`}>${icon(view.name)}${view.title}</a></li>`)}</ul>
      <p class="nav-foot">Tidemill ${session.version}<br><a href="/openapi.json">API</a> · <button type="button" class="link" @click=${() => this.querySelector('#keys').show()}>Keys</button></p></nav>`;
  }

  render() {
    const signedIn = session.known && session.role !== null;
    return html`<a class="skip" href="#main" @click=${(event) => { event.preventDefault(); this.querySelector('main').focus(); }}>Skip to content</a>
      <header class="top"><button type="button" class="quiet menu" aria-label="Menu" aria-expanded=${Boolean(this.menu)} aria-controls="nav" @click=${() => { this.menu = !this.menu; }}>${icon('menu')}</button>
        <a class="brand" href="#/overview"><tm-wheel></tm-wheel>Tidemill</a>
        ${signedIn ? html`<tm-find></tm-find>` : html`<span class="grow"></span>`}
        <span class="me"><button type="button" class="quiet" aria-label=${`Theme: ${theme.choice}`} title=${`Theme: ${theme.choice}`} @click=${() => theme.next()}>${icon({ auto: 'half', light: 'sun', dark: 'moon' }[theme.choice])}</button>${signedIn ? this.who() : nothing}</span></header>
      ${connection.up ? nothing : html`<div class="banner" role="alert">The gateway does not answer. What you see is from before; it goes on by itself when the gateway is back.</div>`}
      <div class="frame">${signedIn ? this.nav() : nothing}<main id="main" tabindex="-1">${this.content()}</main></div>
      <tm-dialog id="keys" heading="Keys" .content=${html`<dl class="keys">${shortcuts().map((each) => html`<div><dt>${each.keys.split(' ').map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${each.title}</dd></div>`)}
        <div><dt><kbd>↑</kbd><kbd>↓</kbd></dt><dd>Move in lists and waterfalls</dd></div><div><dt><kbd>Enter</kbd></dt><dd>Open what is marked</dd></div><div><dt><kbd>Esc</kbd></dt><dd>Close what came over the page</dd></div></dl>`}></tm-dialog>
      <tm-toasts></tm-toasts>`;
  }
}

/** The mark: a mill's wheel. */
class Wheel extends Part {
  render() {
    return html`<svg viewBox="0 0 32 32" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"><path d="M16 4v7M16 21v7M4 16h7M21 16h7M7.5 7.5l5 5M19.5 19.5l5 5M7.5 24.5l5-5M19.5 12.5l5-5"/><circle cx="16" cy="16" r="4.6"/></g></svg>`;
  }
}

customElements.define('tm-wheel', Wheel);
customElements.define('tm-app', App);
