// Shared by the views of workflows, tasks and jobs: a live list with filters, one object with its live events, cancel.
import { View, html, nothing, heading } from '../core/element.js';
import { get, post } from '../core/api.js';
import { Listing } from '../core/listing.js';
import { to, go, refine } from '../core/router.js';
import { span, number, short, dateTime } from '../core/format.js';
import { busy, empty } from '../parts/basics.js';
import { ask, attempt } from '../parts/dialog.js';
import '../parts/table.js';
import '../parts/action.js';
import '../parts/missing-role.js';

const POLL = 2000;
const MOST_EVENTS = 2000;
const SOON = 120;

/** An error with its code, and `stack` if there is one. */
export function failure(error, title = 'It failed') {
  if (!error) return nothing;
  const { code, message, stack, retryable } = typeof error === 'string' ? { message: error } : error;
  return html`<div class="note bad failure" data-failure><div><strong>${title}${code ? html` <code class="code-tag">${code}</code>` : nothing}${retryable ? html` <span class="pill busy">may go well later</span>` : nothing}</strong>
    <p>${message ?? ''}</p>${stack ? html`<details><summary>Stack</summary><pre tabindex="0">${stack}</pre></details>` : nothing}</div></div>`;
}

/** A note that it was canceled, with the reason if there is one. */
export const canceledNote = (error) => html`<div class="note" data-canceled><div><strong>It was canceled</strong>${error?.message && error.message !== 'canceled' ? html`<p>${error.message}</p>` : nothing}</div></div>`;

/** A progress bar: a fraction from 0 to 1 and the current activity. */
export const progressBar = (fraction, message) => html`<div class="progress"><progress max="1" .value=${fraction ?? 0} aria-label="Progress"></progress>
  <span>${fraction === undefined || fraction === null ? nothing : html`<b>${Math.round(fraction * 100)} %</b> `}${message ?? ''}</span></div>`;

/** One event in a list: time, type, and its data on demand. */
export const eventLine = (event, from) => html`<li><span class="e-at" title=${dateTime(event.data?.ts ?? from)}>${(event.data?.ts ?? from) > from ? `+${span(event.data.ts - from)}` : '0'}</span>
  <details><summary><span class="e-type ${event.tone ?? ''}">${event.type}</span> <span class="e-words">${event.words ?? ''}</span></summary><tm-json .value=${event.data?.data ?? event.data} label=${`Event ${event.type}`}></tm-json></details></li>`;

/**
 * A view of a list and of one of its objects. Subclasses define:
 * - `kind`: {name (of the view), title, one, path (of the API), idField, role (that works on it), channel (where it waits), last (final event types), filters}
 * - `columns()`, `page(options)` for the list; `detail()` for the object in `this.it`; `isFinished(it)`; `hint()` for an empty list
 */
export class ListDetailView extends View {
  static properties = { it: { state: true }, events: { state: true }, stream: { state: true }, busy: { state: true } };

  constructor() {
    super();
    this.events = [];
    this.list = new Listing({ fetch: (options) => this.page(options), key: (row) => row[this.kind.idField], order: (row) => this.order(row), changed: () => this.requestUpdate() });
  }

  get id() {
    return this.parts[0] ?? null;
  }

  get asked() {
    return Object.fromEntries(this.kind.filters.map((each) => [each.name, this.param(each.name)]));
  }

  willUpdate(changed) {
    if (!changed.has('route')) return;
    const wanted = this.id ?? `?${JSON.stringify(this.asked)}`;
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    if (this.id) this.open(this.id);
    else this.openList(wanted);
  }

  #shown = null;
  #listed = null;

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#shown = null;
    this.list.stop();
    clearTimeout(this.later);
    this.later = null;
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.hasUpdated) this.requestUpdate('route', undefined);
  }

  /** Going back from an object restores the list. */
  openList(wanted) {
    this.end('one');
    this.end('events');
    this.leave('it');
    this.it = null;
    this.problem = null;
    if (wanted !== this.#listed) this.list.reset();
    this.#listed = wanted;
    this.filtered = this.asked;
    this.every(POLL, () => this.list.refresh(), 'list');
  }

  open(id) {
    this.end('list');
    this.list.stop();
    this.it = null;
    this.problem = null;
    this.begin(id);
    this.every(5000, () => this.reload(), 'one');
  }

  /** Follows the events from the first one on, also after a retry. */
  begin(id) {
    this.events = [];
    this.stream = null;
    this.forget?.();
    this.follow(`${this.kind.path}/${encodeURIComponent(id)}/events`, {
      last: this.kind.last,
      onEvent: (event) => this.heard(event),
      onState: (state) => { this.stream = state; },
    }, 'events');
  }

  heard(event) {
    if (event.type === 'hello') return;
    this.events = [...this.events.slice(-MOST_EVENTS), event];
    this.later ??= setTimeout(() => {
      this.later = null;
      this.reload();
    }, SOON);
  }

  async reload() {
    const { id } = this;
    if (!id) return;
    const before = this.it;
    await this.load('it', (signal) => get(`${this.kind.path}/${encodeURIComponent(id)}`, { signal }));
    const now = this.it;
    if (before && now && this.isFinished(before) && !this.isFinished(now)) this.begin(id); // somebody retried it
  }

  async cancel() {
    const { one, path } = this.kind;
    const { id } = this;
    if (!(await ask(`Cancel this ${one}?`, `It stops at once. What it has done so far stays as it is.`, { yes: `Cancel the ${one}`, danger: true }))) return;
    this.busy = true;
    await attempt(() => post(`${path}/${encodeURIComponent(id)}/cancel`, {}), `The ${one} is canceled.`);
    this.busy = false;
    this.reload();
  }

  filterBar() {
    return html`<div class="filters">${this.kind.filters.map((each) => html`<label>${each.title}<select name=${each.name} @change=${(event) => refine({ [each.name]: event.target.value })}>
      <option value="" ?selected=${!this.param(each.name)}>${each.all ?? 'All'}</option>${each.choices.map((choice) => html`<option value=${choice} ?selected=${this.param(each.name) === choice}>${choice.replaceAll('_', ' ')}</option>`)}</select></label>`)}
      <p class="list-count" aria-live="polite">${this.list.rows === null ? nothing : html`<b>${number(this.list.total ?? this.list.rows.length)}</b> ${this.list.total === 1 ? this.kind.one : `${this.kind.one}s`}`}</p></div>`;
  }

  renderList() {
    const { rows, problem } = this.list;
    const filtered = Object.values(this.asked).some(Boolean);
    return html`${heading(this.kind.title, html`<tm-action data-new label=${this.kind.start} kind="primary" @act=${() => this.start()}></tm-action>`)}
      ${this.filterBar()}
      ${problem ? html`<tm-problem .problem=${problem} @again=${() => this.list.refresh()}></tm-problem>` : nothing}
      ${rows === null ? (problem ? nothing : busy())
        : rows.length === 0 ? (filtered ? empty(`No ${this.kind.one} is like that`, html`<button type="button" class="link" @click=${() => go(to(this.kind.name))}>Show all</button>`) : empty(`No ${this.kind.one}s yet`, this.hint()))
          : html`<tm-table .label=${this.kind.title} .columns=${this.columns()} .rows=${rows} .total=${this.list.total} .key=${this.list.key} .href=${(row) => to(this.kind.name, row[this.kind.idField])} @more=${() => this.list.more()}></tm-table>`}`;
  }

  /** The header of an object: link to the list, title, status, actions. */
  head(title, actions) {
    const it = this.it;
    return html`${this.crumb()}
      ${heading(html`${title} ${it ? html`<tm-status .status=${it.status}></tm-status>` : nothing}`, html`${this.liveSign()}${actions}
        <a class="button" href=${to('traces', { object: `${this.kind.one}:${this.id}` })}>Trace</a>`)}
      ${it && !this.isFinished(it) ? html`<tm-missing-role role-name=${this.kind.role} channel=${this.kind.channel}></tm-missing-role>` : nothing}`;
  }

  /** A link back to the list with its filters. */
  crumb() {
    return html`<p class="crumb"><a href=${to(this.kind.name, { ...this.filtered })}>← ${this.kind.title}</a></p>`;
  }

  liveSign() {
    if (this.stream === 'live') return html`<span class="live-sign" title="Events come as they happen">live</span>`;
    return this.stream === 'waiting' ? html`<span class="live-sign off" title="The connection broke; it is tried again">reconnecting</span>` : nothing;
  }

  eventCard(title = 'Events') {
    const from = this.events.length ? (this.events[0].data?.ts ?? 0) : 0;
    const shown = this.events.map((event) => this.described(event)).filter(Boolean);
    return html`<section class="card"><h2>${title} <span class="count">${shown.length}</span></h2>
      ${this.stream instanceof Error ? html`<p class="fault">${this.stream.message}</p>` : nothing}
      ${shown.length ? html`<ol class="events" tabindex="0" aria-label=${title}>${shown.map((event) => eventLine(event, from))}</ol>` : html`<p class="dim">None came yet.</p>`}</section>`;
  }

  described(event) {
    return event;
  }

  renderOne() {
    if (!this.it) {
      return html`${this.crumb()}${heading(short(this.id, 40))}
        ${this.problem ? html`<tm-problem .problem=${this.problem} @again=${() => this.reload()}></tm-problem>` : busy()}`;
    }
    return html`${this.problem ? html`<tm-problem .problem=${this.problem} @again=${() => this.reload()}></tm-problem>` : nothing}${this.detail()}`;
  }

  dialogs() {
    return nothing;
  }

  render() {
    return html`<div class="executions">${this.id ? this.renderOne() : this.renderList()}${this.dialogs()}</div>`;
  }
}
