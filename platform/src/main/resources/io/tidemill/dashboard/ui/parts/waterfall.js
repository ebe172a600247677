// A waterfall diagram: spans of a trace, steps of a workflow.
import { Part, html, nothing, css } from '../core/element.js';
import { now as clock } from '../core/clock.js';
import { span } from '../core/format.js';

/**
 * `<tm-waterfall .rows=${[{id, label, note, kind, start, end, depth, bad, open}]} selected="id">`; start and end in milliseconds.
 * `open` rows have no end yet and reach to `.now`; `bare` rows have no place in time, only words in `took`. A choice is told by `choose`.
 */
class Waterfall extends Part {
  static properties = { rows: { attribute: false }, selected: {}, now: { attribute: false }, label: {} };

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const buttons = [...this.querySelectorAll('button.w-row')];
    const at = buttons.indexOf(document.activeElement);
    buttons[Math.min(Math.max(0, at + step), buttons.length - 1)]?.focus();
  }

  render() {
    const rows = this.rows ?? [];
    if (!rows.length) return nothing;
    const now = this.now ?? clock();
    const ends = rows.map((row) => row.end ?? now);
    const placed = rows.filter((row) => !row.bare);
    const from = Math.min(...placed.map((row) => row.start));
    const whole = Math.max(Math.max(...placed.map((row) => row.end ?? now)) - from, 0.001);
    return html`<div class="waterfall" role="list" aria-label=${this.label ?? 'Waterfall'} @keydown=${this.key}>
      ${placed.length ? html`<div class="w-scale" aria-hidden="true"><div class="w-ticks">${[0, 1, 2, 3, 4].map((quarter) => html`<span>${quarter ? span((whole * quarter) / 4) : 0}</span>`)}</div></div>` : nothing}
      ${rows.map((row, at) => {
        const left = ((row.start - from) / whole) * 100;
        const width = Math.max(((ends[at] - row.start) / whole) * 100, 0.3);
        const took = row.took ?? (row.end === undefined || row.end === null ? 'still running' : span(row.end - row.start));
        return html`<div role="listitem"><button type="button" class="w-row ${row.id === this.selected ? 'current' : ''}" aria-pressed=${row.id === this.selected}
          @click=${() => this.dispatchEvent(new CustomEvent('choose', { detail: row.id }))}>
          <span class="w-name" style=${css({ 'padding-left': `${(row.depth ?? 0) * 0.9}rem` })}><i class="dot k-${row.kind ?? 'other'} ${row.bad ? 'bad' : ''}"></i>${row.label}${row.note ? html` <small>${row.note}</small>` : nothing}</span>
          <span class="w-lane">${row.bare ? nothing : html`<i class="w-bar k-${row.kind ?? 'other'} ${row.bad ? 'bad' : ''} ${row.open ? 'open' : ''}" style=${css({ left: `${Math.min(left, 99.7)}%`, width: `${width}%` })}></i>`}</span>
          <span class="w-took">${took}</span></button></div>`;
      })}</div>`;
  }
}

customElements.define('tm-waterfall', Waterfall);
