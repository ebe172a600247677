// Who changed what, and when: for those who answer for it.
import { View, html, nothing, heading } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { refine, to } from '../core/router.js';
import { dateTime } from '../core/format.js';
import { empty } from '../parts/basics.js';
import '../parts/table.js';

const PAGE = 200;

class Audit extends View {
  static properties = { rows: { state: true }, next: { state: true }, chosen: { state: true } };

  constructor() {
    super();
    this.rows = null;
  }

  willUpdate(changed) {
    if (changed.has('route') && this.filter !== this.route.query.toString()) {
      this.filter = this.route.query.toString();
      this.every(5000, () => this.fetch());
    }
  }

  path(before) {
    return withQuery('/api/audit', { limit: PAGE, before, who: this.param('who'), action: this.param('action') });
  }

  /** The newest; what is known already behind them stays. */
  fetch() {
    return this.load('first', (signal) => get(this.path(), { signal })).then(() => {
      if (!this.first) return;
      const fresh = this.first.audit;
      const last = fresh.at(-1)?.id;
      const at = (this.rows ?? []).findIndex((row) => row.id === last);
      const joined = at >= 0 && this.shown === this.filter;
      this.rows = joined ? [...fresh, ...this.rows.slice(at + 1)] : fresh;
      if (!joined) this.next = this.first.next;
      this.shown = this.filter;
    });
  }

  async more() {
    if (!this.next || this.fetching) return;
    this.fetching = true;
    try {
      const page = await get(this.path(this.next));
      this.rows = [...this.rows, ...page.audit];
      this.next = page.next;
    } catch (failed) {
      this.problem = failed;
    } finally {
      this.fetching = false;
    }
  }

  render() {
    const columns = [
      { title: 'When', width: '8rem', render: (row) => html`<tm-time .at=${row.at}></tm-time>` },
      { title: 'Who', width: 'minmax(6rem, 10rem)', render: (row) => html`${row.who} <small>${row.role ?? ''}</small>` },
      { title: 'What', width: 'minmax(0, 2fr)', render: (row) => html`<code>${row.method} ${row.path}</code>` },
      { title: 'Answer', width: '5rem', render: (row) => html`<span class="pill ${row.status < 400 ? 'good' : 'bad'}">${row.status}</span>` },
      { title: 'Detail', wide: true, render: (row) => row.detail ?? '' },
      { title: 'From', width: '8rem', wide: true, render: (row) => row.address },
    ];
    return html`${heading('Audit')}
      <div class="filters"><label>Who <input type="search" .value=${this.param('who')} @change=${(event) => refine({ who: event.target.value })}></label>
        <label>What <input type="search" placeholder="such as redrive" .value=${this.param('action')} @change=${(event) => refine({ action: event.target.value })}></label></div>
      <tm-problem .problem=${this.problem} @again=${() => this.fetch()}></tm-problem>
      ${this.rows === null ? nothing : this.rows.length ? html`<tm-table label="Audit" .columns=${columns} .rows=${this.rows} @more=${() => this.more()} @open=${(event) => { this.chosen = event.detail; this.querySelector('tm-dialog').show(); }}></tm-table>` : empty('Nothing was changed yet', 'Every change made over HTTP, by whom and with what result, is listed here.')}
      <tm-dialog heading="What was done" .content=${this.chosen ? html`<p>${dateTime(this.chosen.at)}</p><tm-json .value=${this.chosen} label="Entry"></tm-json>
        ${this.chosen.trace ? html`<p><a href=${to('traces', this.chosen.trace)}>Trace</a></p>` : nothing}` : nothing}></tm-dialog>`;
  }
}

customElements.define('tm-audit', Audit);
