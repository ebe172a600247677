// The audit log.
import { View, html, nothing, heading } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { Listing } from '../core/listing.js';
import { refine, to } from '../core/router.js';
import { dateTime } from '../core/format.js';
import { busy, empty } from '../parts/basics.js';
import '../parts/table.js';
import '../parts/dialog.js';

const PAGE = 200;

const COLUMNS = [
  { title: 'When', width: '6.5rem', render: (row) => html`<tm-time .at=${row.at}></tm-time>` },
  { title: 'Who', width: 'minmax(5rem, 10rem)', render: (row) => html`<span title=${row.who}>${row.who}</span> <small>${row.role ?? ''}</small>` },
  { title: 'What', width: 'minmax(0, 2fr)', render: (row) => html`<code title=${`${row.method} ${row.path}`}>${row.method} ${row.path}</code>` },
  { title: 'Answer', width: '4rem', render: (row) => html`<span class="pill ${row.status < 400 ? 'good' : 'bad'}">${row.status}</span>` },
  { title: 'Detail', wide: true, render: (row) => html`<span title=${row.detail ?? ''}>${row.detail ?? ''}</span>` },
  { title: 'From', width: '8rem', wide: true, render: (row) => row.address },
];

class Audit extends View {
  static properties = { chosen: { state: true } };

  constructor() {
    super();
    this.list = new Listing({ first: PAGE, further: PAGE, fetch: (options) => this.page(options), key: (row) => row.id, order: (row) => row.at, changed: () => this.requestUpdate() });
  }

  willUpdate(changed) {
    const asked = JSON.stringify(this.filters);
    if (!changed.has('route') || asked === this.asked) return;
    this.asked = asked;
    this.list.reset();
    this.every(5000, () => (this.list.problem?.status === 403 ? undefined : this.list.refresh())); // who may not see it need not ask again
  }

  connectedCallback() {
    super.connectedCallback();
    this.asked = undefined;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.list.stop();
  }

  get filters() {
    return { who: this.param('who'), action: this.param('action') };
  }

  async page({ limit, next, signal }) {
    const answer = await get(withQuery('/api/audit', { ...this.filters, limit, before: next }), { signal });
    return { rows: answer.audit, next: answer.next ?? undefined };
  }

  async open(row) {
    this.chosen = row;
    await this.updateComplete;
    this.querySelector('tm-dialog').show();
  }

  rows() {
    const { rows, problem } = this.list;
    if (!rows) return problem ? nothing : busy();
    if (rows.length || this.list.hasMore) return html`<tm-table label="Audit" .columns=${COLUMNS} .rows=${rows} @more=${() => this.list.more()} @open=${(event) => this.open(event.detail)}></tm-table>`;
    if (Object.values(this.filters).some(Boolean)) return empty('No entries match these filters', html`<button type="button" @click=${() => refine({ who: null, action: null })}>Show all</button>`);
    return empty('Nothing was changed yet', 'Every change made over HTTP, by whom and with what result, is listed here.');
  }

  render() {
    const chosen = this.chosen;
    return html`${heading('Audit')}
      <div class="filters"><label>Who <input type="search" name="who" .value=${this.param('who')} @change=${(event) => refine({ who: event.target.value.trim() })}></label>
        <label>What <input type="search" name="action" placeholder="such as redrive" .value=${this.param('action')} @change=${(event) => refine({ action: event.target.value.trim() })}></label></div>
      <tm-problem .problem=${this.list.problem} @again=${() => this.list.refresh()}></tm-problem>
      ${this.rows()}
      <tm-dialog heading="What was done" .content=${chosen ? html`<p>${dateTime(chosen.at)}</p><tm-json .value=${chosen} label="Entry"></tm-json>
        ${chosen.trace ? html`<p><a href=${to('traces', chosen.trace)}>Trace</a></p>` : nothing}` : nothing}></tm-dialog>`;
  }
}

customElements.define('tm-audit', Audit);
