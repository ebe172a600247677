// A virtual list: only visible rows exist. Arrow keys move, Enter opens.
import { Part, html, nothing, css, repeat } from '../core/element.js';
import { noteTop, topOf } from '../core/scroll.js';

const ROW = 37;
const BEYOND = 12;
const NEAR_END = 40;
const LEAST = 300;
const BELOW = 28;

/**
 * `<tm-table .columns=${[{title, width, render: row => …, end: true, wide: true}]} .rows=${rows} .key=${row => row.id} .href=${row => '#/…'}>`
 *
 * - `width` is a CSS grid track (`1fr`, `8rem`); `end` puts text to the right; `wide` columns are left out on small screens.
 * - `href` makes rows links; without it a click or Enter fires `open` with the row.
 * - `more` fires near the end, to fetch the next page.
 * - `.total` is the total count, if known; `.selected` a Set of keys with `selectable` boxes, changed by `select`.
 */
class Table extends Part {
  static properties = {
    columns: { attribute: false }, rows: { attribute: false }, key: { attribute: false }, href: { attribute: false },
    total: { attribute: false }, label: {}, current: {}, selected: { attribute: false }, selectable: { type: Boolean },
    first: { state: true }, last: { state: true }, active: { state: true }, narrow: { state: true }, room: { state: true },
  };

  constructor() {
    super();
    this.rows = [];
    this.columns = [];
    this.first = 0;
    this.last = 60;
    this.active = 0;
    this.key = (row) => row.id;
    this.media = matchMedia('(max-width: 760px)');
    this.narrow = this.media.matches;
    this.onMedia = () => { this.narrow = this.media.matches; };
  }

  connectedCallback() {
    super.connectedCallback();
    this.media.addEventListener('change', this.onMedia);
    this.size = new ResizeObserver(() => this.look());
    this.onSize = () => this.look();
    window.addEventListener('resize', this.onSize);
    this.updateComplete.then(() => this.body && this.size.observe(this.body));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.media.removeEventListener('change', this.onMedia);
    window.removeEventListener('resize', this.onSize);
    this.size.disconnect();
  }

  get body() {
    return this.querySelector('.t-scroll');
  }

  look() {
    const body = this.body;
    if (!body) return;
    // Fills the rest of the window, to avoid a second scroll bar; further down the page, most of the window.
    const left = window.innerHeight - body.getBoundingClientRect().top - window.scrollY - BELOW;
    this.room = Math.max(LEAST, Math.round(left > window.innerHeight * 0.4 ? left : window.innerHeight * 0.7));
    this.first = Math.max(0, Math.floor(body.scrollTop / ROW) - BEYOND);
    this.last = Math.ceil((body.scrollTop + body.clientHeight) / ROW) + BEYOND;
    if (this.last > this.rows.length - NEAR_END) this.dispatchEvent(new Event('more'));
  }

  scrolled() {
    noteTop(this.label, this.body.scrollTop);
    this.look();
  }

  /** Restores the scroll position; rows may still be loading. */
  goBack() {
    const top = topOf(this.label);
    if (top === undefined || this.body.scrollTop === top) return;
    this.body.scrollTop = top;
  }

  open(row, event) {
    const href = this.href?.(row);
    if (!href) this.dispatchEvent(new CustomEvent('open', { detail: row }));
    else if (event?.ctrlKey || event?.metaKey) window.open(href);
    else location.hash = href;
  }

  click(row, event) {
    if (event.target.closest('a,button,input') || !getSelection().isCollapsed) return; // somebody marks a text
    this.open(row, event);
  }

  pick(row) {
    const picked = new Set(this.selected ?? []);
    const key = this.key(row);
    if (!picked.delete(key)) picked.add(key);
    this.dispatchEvent(new CustomEvent('select', { detail: picked }));
  }

  onKey(event) {
    const page = Math.max(1, Math.floor(this.body.clientHeight / ROW) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length }[event.key];
    if (step) {
      event.preventDefault();
      this.move(this.active + step);
    } else if (event.key === 'Enter' && event.target.getAttribute('role') === 'row') {
      event.preventDefault();
      this.open(this.rows[this.active], event);
    } else if (event.key === ' ' && this.selectable && event.target.getAttribute('role') === 'row') {
      event.preventDefault();
      this.pick(this.rows[this.active]);
    }
  }

  async move(to) {
    this.active = Math.min(Math.max(0, to), this.rows.length - 1);
    const body = this.body;
    const top = this.active * ROW;
    if (top < body.scrollTop) body.scrollTop = top;
    else if (top + 2 * ROW > body.scrollTop + body.clientHeight) body.scrollTop = top + 2 * ROW - body.clientHeight; // the head covers one row
    this.look();
    await this.updateComplete;
    this.querySelector(`[data-at="${this.active}"]`)?.focus();
  }

  /** Keeps the scroll position and the current row when rows are inserted above. */
  willUpdate(changed) {
    if (!changed.has('rows')) return;
    const before = changed.get('rows') ?? [];
    const at = (index) => (before[index] === undefined ? -1 : this.rows.findIndex((row) => this.key(row) === this.key(before[index])));
    const active = at(this.active);
    this.active = active >= 0 ? active : Math.max(0, Math.min(this.active, this.rows.length - 1));
    const body = this.body;
    const top = body ? Math.floor(body.scrollTop / ROW) : 0;
    const moved = top > 0 ? at(top) : -1;
    this.shift = moved > top ? (moved - top) * ROW : 0;
  }

  updated(changed) {
    if (changed.has('rows') && this.shift) this.body.scrollTop += this.shift;
    this.goBack();
    if (changed.has('rows')) this.look();
  }

  row(row, at, columns, tracks) {
    const key = this.key(row);
    return html`<div role="row" class="t-row ${key === this.current ? 'current' : ''}" aria-rowindex=${at + 2} data-at=${at} data-key=${key}
      tabindex=${at === this.reachable ? 0 : -1} style=${css({ 'grid-template-columns': tracks, top: `${at * ROW}px` })}
      @focus=${() => { this.active = at; }} @click=${(event) => this.click(row, event)}>
      ${this.selectable ? html`<div role="cell" class="t-pick"><input type="checkbox" tabindex="-1" aria-label=${`Select ${key}`} .checked=${this.selected?.has(key) ?? false} @change=${() => this.pick(row)}></div>` : nothing}
      ${columns.map((column, index) => html`<div role="cell" class=${column.end ? 'end' : ''}>${index === 0 && this.href
        ? html`<a href=${this.href(row)} tabindex="-1">${column.render(row)}</a>` : column.render(row)}</div>`)}</div>`;
  }

  render() {
    const columns = this.narrow ? this.columns.filter((column) => !column.wide) : this.columns;
    const tracks = (this.selectable ? '2.2rem ' : '') + columns.map((column) => column.width ?? 'minmax(0, 1fr)').join(' ');
    const seen = this.rows.slice(this.first, this.last);
    this.reachable = this.active >= this.first && this.active < this.last ? this.active : this.first; // one row is always there for the Tab key
    return html`<div class="table" role="table" aria-label=${this.label ?? 'List'} aria-rowcount=${(this.total ?? this.rows.length) + 1} @keydown=${this.onKey}>
      <div class="t-scroll" role="presentation" style=${css(this.room ? { 'max-height': `${this.room}px` } : {})} @scroll=${this.scrolled}><div class="t-head" role="rowgroup"><div role="row" class="t-row" style=${css({ 'grid-template-columns': tracks })}>
        ${this.selectable ? html`<div role="columnheader" class="t-pick"><span class="unseen">Selected</span></div>` : nothing}
        ${columns.map((column) => html`<div role="columnheader" class=${column.end ? 'end' : ''}>${column.title}</div>`)}</div></div>
      <div class="t-body" role="rowgroup" style=${css({ height: `${this.rows.length * ROW}px` })}>
        ${repeat(seen, (row) => this.key(row), (row, index) => this.row(row, this.first + index, columns, tracks))}</div></div></div>`;
  }
}

customElements.define('tm-table', Table);
