// The frame around every view: navigation, record search, session, and connection state.
import { Part, html, nothing } from './core/element.js';
import { at, connection, onSignedOut } from './core/api.js';
import { session } from './core/session.js';
import { theme } from './core/theme.js';
import { here, to, go } from './core/router.js';
import { arrive, restore } from './core/scroll.js';
import { shortcut, shortcuts } from './core/keys.js';
import { icon } from './core/icons.js';
import { busy } from './parts/basics.js';
import { attempt } from './parts/dialog.js';
import './parts/action.js';
import './parts/find.js';

/** The views: their module, and their key after `g`. */
const VIEWS = [
  { name: 'overview', title: 'Overview', key: 'o' },
  { name: 'crawls', title: 'Crawls', key: 'c', group: true },
  { name: 'search', title: 'Search', key: 's' },
  { name: 'workflows', title: 'Workflows', key: 'w' },
  { name: 'tasks', title: 'Tasks', key: 't' },
  { name: 'jobs', title: 'Jobs', key: 'j' },
  { name: 'analytics', title: 'Analytics', key: 'a' },
  { name: 'dead', title: 'Dead letters', key: 'd', group: true },
  { name: 'traces', title: 'Traces', key: 'r' },
  { name: 'contracts', title: 'Contracts', key: 'k' },
  { name: 'servers', title: 'Servers', key: 'v' },
  { name: 'audit', title: 'Audit', key: 'u', needs: 'admin' },
];
const AGAIN = 2000;

class App extends Part {
  static properties = { route: { state: true }, view: { state: true }, failed: { state: true }, menu: { state: true }, expired: { state: true }, fault: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    arrive();
    window.addEventListener('hashchange', () => {
      this.back = arrive();
      this.show();
    });
    session.addEventListener('change', () => this.meet());
    connection.addEventListener('change', () => this.reconnect());
    theme.addEventListener('change', () => this.requestUpdate());
    onSignedOut(() => { if (session.role !== null) session.refresh().catch(() => {}); });
    for (const view of VIEWS) shortcut(`g ${view.key}`, `Go to ${view.title}`, () => go(to(view.name)));
    shortcut('/', 'Find anything', () => this.querySelector('tm-find input')?.focus());
    shortcut('?', 'Show these keys', () => this.querySelector('#keys').show());
    shortcut('n', 'Start something new here', () => this.querySelector('main [data-new]')?.click());
    this.start();
  }

  async start() {
    try {
      await session.refresh();
      this.fault = null;
    } catch (failed) {
      this.fault = failed;
      setTimeout(() => this.start(), AGAIN);
    }
  }

  /** The session changed; after an expiry the view stays below the login form. */
  async meet() {
    const who = session.role === null ? null : `${session.role} ${session.name}`;
    this.expired = Boolean(this.who && who === null && !this.leaving);
    if (this.expired) {
      await import('./views/login.js');
    } else {
      if (this.who && this.who !== who) this.element = null; // somebody else
      this.who = who;
      await this.show();
    }
    this.requestUpdate();
  }

  reconnect() {
    this.requestUpdate();
    if (connection.up && this.failed) this.show();
  }

  async signOut() {
    this.leaving = true;
    await attempt(() => session.signOut());
    this.leaving = false;
  }

  async show() {
    if (!session.known || this.expired) return;
    const route = here();
    const name = session.role === null ? 'login' : [...VIEWS.map((view) => view.name), 'open'].includes(route.name) ? route.name : 'missing';
    const turn = (this.turn = (this.turn ?? 0) + 1);
    let failed = null;
    try {
      if (name !== 'missing') await import(`./views/${name}.js`);
    } catch (broken) {
      failed = broken;
    }
    if (turn !== this.turn) return; // somebody went on before it came
    const moved = this.view !== name || this.route?.parts.join('/') !== route.parts.join('/');
    Object.assign(this, { failed, route, view: name, menu: false });
    const title = VIEWS.find((view) => view.name === name)?.title ?? ({ login: 'Sign in', open: 'Open a file' }[name] ?? 'Not found');
    document.title = `${[...route.parts.slice(0, 1), title].join(' · ')} · Tidemill`;
    if (moved) this.arrived();
  }

  async arrived() {
    await this.updateComplete;
    await this.element?.updateComplete;
    if (!this.back) window.scrollTo(0, 0);
    else restore(this.querySelector('main'));
    if (this.shown) this.focusHeading(); // screen readers hear where they are
    this.shown = true;
  }

  /** Moves the focus to the new heading when a view has loaded. */
  focusHeading() {
    this.headings?.disconnect();
    const heading = this.querySelector('main h1');
    if (!heading || document.activeElement.matches('input, textarea, select')) return; // whoever types meanwhile goes on, also in a view's first field
    heading.focus({ preventScroll: true });
    this.headings = new MutationObserver(() => {
      if (document.activeElement === heading) return;
      if (document.activeElement === document.body && !heading.isConnected) this.querySelector('main h1')?.focus({ preventScroll: true });
      this.headings.disconnect();
    });
    this.headings.observe(this.querySelector('main'), { childList: true, subtree: true });
  }

  content() {
    if (this.fault && !this.view) return html`<tm-problem .problem=${this.fault} @again=${() => location.reload()}></tm-problem>`;
    if (this.failed) return html`<tm-problem .problem=${new Error(connection.up ? 'This view could not be loaded; a newer version may be running. Reload the page.' : 'This view is not loaded yet; it comes when the gateway answers.')} @again=${() => location.reload()}></tm-problem>`;
    if (!this.view) return busy();
    if (this.view === 'missing') return html`<h1 tabindex="-1">Not found</h1><p>There is no view of this name. <a href="#/overview">Overview</a></p>`;
    if (this.element?.localName !== `tm-${this.view}`) this.element = document.createElement(`tm-${this.view}`);
    this.element.route = this.route;
    return this.element;
  }

  me() {
    const readOnly = session.readOnly ? html`<span class="pill calm">read-only</span>` : nothing;
    if (!session.authentication) return readOnly;
    return html`${readOnly}<span class="who" title=${`Role: ${session.role}`}>${session.name ?? 'signed in'} <small>${session.role}</small></span>
      <button type="button" class="quiet" @click=${() => this.signOut()}>Sign out</button>`;
  }

  nav() {
    return html`<nav aria-label="Views" id="nav" class=${this.menu ? 'open' : ''}><ul>${VIEWS.filter((view) => !view.needs || session.is(view.needs)).map((view) => html`<li class=${view.group ? 'group' : ''}>
      <a href=${to(view.name)} aria-current=${this.view === view.name ? 'page' : nothing} title=${`g ${view.key}`} @click=${() => { this.menu = false; }}>${icon(view.name)}${view.title}</a></li>`)}</ul>
      <p class="nav-foot">Tidemill ${session.version}<br><a href=${at('/openapi.json')}>API</a> · <button type="button" class="link" @click=${() => this.querySelector('#keys').show()}>Keys</button></p></nav>`;
  }

  key(event) {
    if (event.key !== 'Escape' || !this.menu) return;
    this.menu = false;
    this.querySelector('button.menu').focus();
  }

  updated() {
    const dialog = this.querySelector('dialog.expired');
    if (dialog && !dialog.open) dialog.showModal();
  }

  render() {
    const signedIn = session.known && (session.role !== null || this.expired);
    return html`<a class="skip" href="#main" @click=${(event) => { event.preventDefault(); this.querySelector('main').focus(); }}>Skip to content</a>
      <header class="top" @keydown=${this.key}><button type="button" class="quiet menu" aria-label="Menu" aria-expanded=${Boolean(this.menu)} aria-controls="nav" ?hidden=${!signedIn} @click=${() => { this.menu = !this.menu; }}>${icon('menu')}</button>
        <a class="brand" href="#/overview" aria-label="Tidemill"><tm-wheel></tm-wheel><span>Tidemill</span></a>
        ${signedIn ? html`<tm-find></tm-find>` : html`<span class="grow"></span>`}
        <span class="me"><button type="button" class="quiet" aria-label=${`Theme: ${theme.choice}`} title=${`Theme: ${theme.choice}`} @click=${() => theme.next()}>${icon({ auto: 'half', light: 'sun', dark: 'moon' }[theme.choice])}</button>${signedIn ? this.me() : nothing}</span></header>
      ${connection.up ? nothing : html`<div class="banner" role="alert">The gateway does not answer. What you see is from before; it goes on by itself when the gateway is back.</div>`}
      <div class="frame" @keydown=${this.key}>${signedIn ? this.nav() : nothing}<main id="main" tabindex="-1">${this.content()}</main></div>
      ${this.expired ? html`<dialog class="expired" aria-label="Sign in again" @cancel=${(event) => event.preventDefault()}><tm-login again></tm-login></dialog>` : nothing}
      <tm-dialog id="keys" heading="Keys" .content=${html`<dl class="keys">${shortcuts().map((each) => html`<div><dt>${each.keys.split(' ').map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${each.title}</dd></div>`)}
        <div><dt><kbd>↑</kbd><kbd>↓</kbd></dt><dd>Move in lists and waterfalls</dd></div><div><dt><kbd>Enter</kbd></dt><dd>Open what is marked</dd></div><div><dt><kbd>Esc</kbd></dt><dd>Close what came over the page</dd></div></dl>`}></tm-dialog>
      <tm-toasts></tm-toasts>`;
  }
}

/** The logo: a mill's wheel. */
class Wheel extends Part {
  render() {
    return html`<svg viewBox="0 0 32 32" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"><path d="M16 4v7M16 21v7M4 16h7M21 16h7M7.5 7.5l5 5M19.5 19.5l5 5M7.5 24.5l5-5M19.5 12.5l5-5"/><circle cx="16" cy="16" r="4.6"/></g></svg>`;
  }
}

customElements.define('tm-wheel', Wheel);
customElements.define('tm-app', App);
