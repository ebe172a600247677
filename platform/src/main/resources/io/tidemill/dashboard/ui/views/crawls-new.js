// The dialog that starts a crawl: every option, checked before it is sent, and a preview that fetches one page and stores nothing.
import { View, html, nothing } from '../core/element.js';
import { get, post, IdempotencyKey } from '../core/api.js';
import { busy } from '../parts/basics.js';
import { say } from '../parts/dialog.js';
import { webUrl } from '../parts/external-link.js';
import { isEmail, rememberedOwner, rememberOwner } from './crawls-owner.js';
import { preview } from './crawls-preview.js';

const SCOPES = [['host', 'the same host'], ['domain', 'the domain with its subdomains'], ['prefix', 'below the first address']];
const NUMBERS = { maxPages: [1, 10_000_000], maxDepth: [0, 1000], maxBytes: [0, Number.MAX_SAFE_INTEGER], maxSeconds: [0, 2_147_483_647], maxAge: [0, 2_147_483_647] };
const PATTERNS = ['include', 'exclude'];
const FIELDS = ['url', 'email', ...Object.keys(NUMBERS), ...PATTERNS, 'scope', 'sitemaps', 'recrawl', 'project'];

/** The errors of the fields, by name. */
export function faultsOf(values) {
  const faults = {};
  if (!values.url) faults.url = 'is needed';
  else if (!webUrl(values.url)) faults.url = 'must be an absolute http or https URL';
  if (!values.email) faults.email = 'is needed';
  else if (!isEmail(values.email)) faults.email = 'must be like name@example.org';
  for (const [name, [least, most]] of Object.entries(NUMBERS)) {
    const text = values[name] ?? '';
    if (text !== '' && !(Number.isInteger(Number(text)) && Number(text) >= least && Number(text) <= most)) faults[name] = most > 1e10 ? `must be a whole number from ${least} on` : `must be a whole number from ${least} to ${most}`;
  }
  for (const name of PATTERNS) if (lines(values[name]).length > 50) faults[name] = 'may have 50 patterns';
  if (values.project && !/^[A-Za-z0-9_-]{1,100}$/.test(values.project)) faults.project = 'must be 1 to 100 letters, digits, - or _';
  return faults;
}

const lines = (text) => (text ?? '').split('\n').map((line) => line.trim()).filter(Boolean);

/** The fields as the API takes them, without empty ones. */
export function bodyOf(values) {
  const body = { url: values.url, email: values.email };
  for (const name of Object.keys(NUMBERS)) if (values[name] !== undefined && values[name] !== '') body[name] = Number(values[name]);
  for (const name of PATTERNS) if (lines(values[name]).length) body[name] = lines(values[name]);
  if (values.scope && values.scope !== 'host') body.scope = values.scope;
  for (const name of ['sitemaps', 'recrawl']) if (values[name]) body[name] = true;
  if (values.project) body.project = values.project;
  return body;
}

class CrawlNew extends View {
  static properties = { values: { state: true }, faults: { state: true }, fault: { state: true }, busy: { state: true }, found: { state: true } };

  constructor() {
    super();
    this.values = {};
    this.faults = {};
    this.idempotencyKey = new IdempotencyKey();
  }

  async open(prefill = {}) {
    const text = (value) => (Array.isArray(value) ? value.join('\n') : typeof value === 'number' ? String(value) : value);
    const given = Object.fromEntries(Object.entries(prefill).filter(([name, value]) => FIELDS.includes(name) && value !== undefined && value !== '').map(([name, value]) => [name, text(value)]));
    const draft = this.isDraft && !given.url ? this.values : {}; // closed by chance: what was typed is still there
    this.values = { email: rememberedOwner(), maxPages: '50', scope: 'host', ...draft, ...given };
    this.faults = {};
    this.fault = null;
    this.found = null;
    this.busy = null;
    await this.updateComplete;
    this.querySelector('tm-dialog').show();
    await this.querySelector('tm-dialog').updateComplete;
    this.querySelector('[name="url"]')?.focus();
  }

  set(name, value) {
    this.values = { ...this.values, [name]: value };
    this.isDraft = true;
    if (this.faults[name]) this.faults = { ...this.faults, [name]: undefined };
    this.found = null;
  }

  /** Submits the form; returns the crawl, or null after showing the errors. */
  async send(extra) {
    const values = { ...this.values, url: (this.values.url ?? '').trim(), email: (this.values.email ?? '').trim() };
    this.faults = faultsOf(values);
    this.fault = null;
    if (this.show(this.faults)) return null;
    const body = { ...bodyOf(values), ...extra };
    try {
      const crawl = await post('/api/crawls', body, { headers: this.idempotencyKey.header(body) });
      this.idempotencyKey.reset();
      rememberOwner(values.email);
      return crawl;
    } catch (failed) {
      this.refused(failed);
      return null;
    }
  }

  /** The API's error texts begin with the name of the field. */
  refused(failed) {
    const [name, ...rest] = failed.message.split(' ');
    if (failed.status === 422 && FIELDS.includes(name)) {
      this.faults = { [name]: rest.join(' ') };
      this.show(this.faults);
    } else {
      this.fault = failed;
    }
  }

  show(faults) {
    const first = FIELDS.find((name) => faults[name]);
    if (!first) return false;
    const field = this.querySelector(`[name="${first}"]`);
    const more = field?.closest('details');
    if (more) more.open = true;
    field?.focus();
    return true;
  }

  async start(event) {
    event?.preventDefault();
    if (this.busy) return;
    this.busy = 'start';
    const crawl = await this.send({});
    this.busy = null;
    if (!crawl) return;
    this.isDraft = false;
    this.querySelector('tm-dialog').close();
    say('The crawl has begun.');
    this.dispatchEvent(new CustomEvent('started', { detail: crawl }));
  }

  async preview() {
    if (this.busy) return;
    this.busy = 'preview';
    this.found = null;
    const crawl = await this.send({ dryRun: true });
    if (!crawl) {
      this.busy = null;
      return;
    }
    this.follow(`/api/crawls/${encodeURIComponent(crawl.id)}/events`, {
      last: ['completed', 'failed', 'canceled'], onEvent: () => {},
      onState: (state) => { if (state !== 'live' && state !== 'waiting') this.looked(crawl.id); },
    }, 'preview');
  }

  async looked(id) {
    try {
      const { result } = await get(`/api/crawls/${encodeURIComponent(id)}`);
      if (result?.preview) this.found = result.preview;
      else this.fault = new Error(result?.errorMessage ? `The preview failed: ${result.errorMessage}` : 'This gateway gave no preview.');
    } catch (failed) {
      this.fault = failed;
    } finally {
      this.busy = null;
    }
    await this.updateComplete;
    this.querySelector('#crawl-preview')?.scrollIntoView({ block: 'nearest' });
  }

  field(name, label, input, hint = nothing) {
    const fault = this.faults[name];
    return html`<div class="field"><label for=${`crawl-${name}`}>${label}</label>${input}${fault ? html`<p class="fault" role="alert" id=${`fault-${name}`}>${label} ${fault}.</p>` : nothing}${hint === nothing ? nothing : html`<p class="hint">${hint}</p>`}</div>`;
  }

  line(name, label, type, hint, placeholder = '') {
    return this.field(name, label, html`<input id=${`crawl-${name}`} name=${name} type=${type} placeholder=${placeholder} spellcheck="false" autocomplete=${name === 'email' ? 'email' : 'off'} step=${type === 'number' ? '1' : nothing}
      aria-invalid=${Boolean(this.faults[name])} aria-describedby=${this.faults[name] ? `fault-${name}` : nothing} .value=${this.values[name] ?? ''} @input=${(event) => this.set(name, event.target.value)}>`, hint);
  }

  patterns(name, label, hint) {
    return this.field(name, label, html`<textarea id=${`crawl-${name}`} name=${name} rows="2" class="code" spellcheck="false" aria-invalid=${Boolean(this.faults[name])} aria-describedby=${this.faults[name] ? `fault-${name}` : nothing}
      .value=${this.values[name] ?? ''} @input=${(event) => this.set(name, event.target.value)}></textarea>`, hint);
  }

  box(name, label, hint) {
    return html`<div class="c-box"><label><input type="checkbox" name=${name} .checked=${Boolean(this.values[name])} @change=${(event) => this.set(name, event.target.checked)}> ${label}</label><p class="hint">${hint}</p></div>`;
  }

  form() {
    return html`<form novalidate @submit=${(event) => this.start(event)}>
      ${this.line('url', 'URL', 'url', nothing, 'https://example.org/')}
      <div class="c-pair">${this.line('email', 'Owner', 'email', 'Whose crawl it is.', 'name@example.org')}${this.line('maxPages', 'Pages at most', 'number', '1 fetches just this page.')}</div>
      <div class="c-pair">${this.field('scope', 'Follow links to', html`<select id="crawl-scope" name="scope" @change=${(event) => this.set('scope', event.target.value)}>${SCOPES.map(([value, text]) => html`<option value=${value} ?selected=${(this.values.scope ?? 'host') === value}>${text}</option>`)}</select>`)}
        ${this.line('maxDepth', 'Links away from the first page', 'number', 'Empty: 10.')}</div>
      <details class="c-more"><summary>More options</summary>
        ${this.patterns('include', 'Only URLs that match', 'RE2 patterns, one a line; one of them must match.')}
        ${this.patterns('exclude', 'No URLs that match', 'RE2 patterns, one a line; none may match.')}
        <div class="c-pair">${this.line('maxBytes', 'Bytes at most', 'number', 'Empty: no limit.')}${this.line('maxSeconds', 'Seconds at most', 'number', 'Empty: no limit.')}</div>
        ${this.line('project', 'Project', 'text', 'The name under which its pages are counted in analytics.', 'web')}
        ${this.box('sitemaps', 'Read sitemaps', 'Pages that the site names itself come first.')}
        ${this.line('maxAge', 'Use pages crawled before, up to so many seconds old', 'number', 'Empty: up to crawler.seen-ttl.')}
        ${this.box('recrawl', 'Fetch again', 'Also pages that were crawled a short time ago.')}</details>
      ${this.fault ? html`<div class="note bad" role="alert"><div>${this.fault.message}</div></div>` : nothing}
      <div id="crawl-preview" aria-live="polite">${this.busy === 'preview' ? busy('Fetching robots.txt and the first page…') : this.found ? preview(this.found) : nothing}</div>
      <footer class="actions"><tm-action label="Preview" hint="Fetches robots.txt and the first page; stores nothing" ?busy=${this.busy === 'preview'} @act=${() => this.preview()}></tm-action>
        <tm-action kind="primary" label="Start crawl" ?busy=${this.busy === 'start'} @act=${() => this.start()}></tm-action><button hidden></button></footer></form>`;
  }

  render() {
    return html`<tm-dialog heading="New crawl" wide form .content=${this.form()} @closed=${() => this.end('preview')}></tm-dialog>`;
  }
}

customElements.define('tm-crawl-new', CrawlNew);
