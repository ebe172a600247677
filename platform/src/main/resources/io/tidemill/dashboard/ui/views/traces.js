// Traces: the spans of one operation across all roles.
import { View, html, nothing, heading } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { Listing } from '../core/listing.js';
import { to, go } from '../core/router.js';
import { number, short, span } from '../core/format.js';
import { busy, empty, facts, fact } from '../parts/basics.js';
import '../parts/table.js';
import '../parts/waterfall.js';

const PAGE = 100;
const VIEWS = { job: 'jobs', crawl: 'crawls', workflow: 'workflows', task: 'tasks' };

/** `task:task-3b8c90f1-…` as `task 3b8c90f1…`. */
const brief = (object) => object.replace(/^(\w+):(?:wf-|task-)?(.{1,8})(.*)$/, (_, kind, id, rest) => `${kind} ${id}${rest ? '…' : ''}`);

const COLUMNS = [
  { title: 'Operation', width: 'minmax(0, 2fr)', render: (row) => html`<span title=${row.name}>${row.name}</span>` },
  { title: 'About', width: 'minmax(0, 2fr)', wide: true, render: (row) => html`<span class="dim" title=${(row.objects ?? []).join(', ')}>${(row.objects ?? []).slice(0, 2).map(brief).join(', ')}</span>` },
  { title: 'Outcome', width: '5.5rem', wide: true, render: (row) => (row.error ? html`<tm-status status="failed"></tm-status>` : html`<span class="dim">ok</span>`) },
  { title: 'Spans', width: '4.5rem', end: true, render: (row) => number(row.spans) },
  { title: 'Took', width: '6rem', end: true, render: (row) => span(row.durationMs) },
  { title: 'Began', width: '6.5rem', end: true, wide: true, render: (row) => html`<tm-time .at=${row.at}></tm-time>` },
];

/** A link to what a trace is about; `job:ID`. */
export function objectLink(object) {
  const colon = object.indexOf(':');
  const kind = object.slice(0, colon);
  const id = object.slice(colon + 1);
  return VIEWS[kind] ? html`<a href=${to(VIEWS[kind], id)}>${kind} ${id}</a>` : html`${object}`;
}

/** Spans as rows, each below its parent; those whose parent is not known come first. */
export function rowsOf(spans) {
  const known = new Set(spans.map((each) => each.spanId));
  const children = new Map();
  for (const each of spans) {
    const parent = known.has(each.parentId) ? each.parentId : null;
    children.set(parent, [...(children.get(parent) ?? []), each]);
  }
  const rows = [];
  const seen = new Set();
  const add = (parent, depth) => {
    for (const each of children.get(parent) ?? []) {
      if (seen.has(each.spanId)) continue;
      seen.add(each.spanId);
      rows.push({ id: each.spanId, label: each.name, note: each.role, kind: each.kind, start: each.startUs / 1000, end: (each.startUs + each.durationUs) / 1000, depth, bad: Boolean(each.error) });
      add(each.spanId, depth + 1);
    }
  };
  add(null, 0);
  return rows;
}

class Traces extends View {
  static properties = { trace: { state: true }, chosen: { state: true } };

  constructor() {
    super();
    this.list = new Listing({ fetch: (options) => this.page(options), key: (row) => row.traceId, order: (row) => row.at, changed: () => this.listed() });
  }

  willUpdate(changed) {
    if (!changed.has('route')) return;
    const wanted = this.parts[0] ?? `?${this.param('object')}`;
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    this.trace = null;
    this.chosen = null;
    this.problem = null;
    if (this.parts[0]) {
      this.end('every');
      this.list.stop();
      this.fetch();
    } else {
      if (wanted !== this.kept) this.list.reset();
      this.kept = wanted;
      this.every(4000, () => this.list.refresh());
    }
  }

  connectedCallback() {
    super.connectedCallback();
    this.wanted = undefined;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.list.stop();
  }

  fetch() {
    return this.load('trace', (signal) => get(`/api/traces/${encodeURIComponent(this.parts[0])}`, { signal }));
  }

  async page({ limit, next, signal }) {
    const { traces, next: further } = await get(withQuery('/api/traces', { object: this.param('object'), limit: Math.min(limit, PAGE), before: next }), { signal });
    return { rows: traces, next: further ?? undefined };
  }

  /** A search with one hit opens it. */
  listed() {
    this.requestUpdate();
    const { rows } = this.list;
    if (this.param('object') && !this.parts[0] && rows?.length === 1) go(to('traces', rows[0].traceId), { replace: true });
  }

  one() {
    const trace = this.trace;
    if (!trace) return this.problem ? nothing : busy('Looking…');
    const spans = trace.spans;
    const from = Math.min(...spans.map((each) => each.startUs));
    const until = Math.max(...spans.map((each) => each.startUs + each.durationUs));
    const chosen = spans.find((each) => each.spanId === this.chosen);
    const objects = [...new Set(spans.flatMap((each) => each.objects ?? []))].slice(0, 12);
    return html`${facts(fact('Began', html`<tm-time .at=${from / 1000}></tm-time>`), fact('Took', span((until - from) / 1000)), fact('Spans', `${spans.length}${trace.truncated ? ', more were not kept' : ''}`), fact('Processes', [...new Set(spans.map((each) => each.process))].join(', ')))}
      ${objects.length ? html`<p>${objects.map((object) => html`${objectLink(object)} `)}</p>` : nothing}
      <div class="card"><tm-waterfall label="Spans" .rows=${rowsOf(spans)} .selected=${this.chosen} @choose=${(event) => { this.chosen = event.detail; }}></tm-waterfall></div>
      ${chosen ? html`<section class="card" aria-label="Span"><h2>${chosen.name}</h2>${chosen.error ? html`<p class="fault">${chosen.error}</p>` : nothing}
        ${facts(fact('Kind', chosen.kind), fact('Role', chosen.role), fact('Process', chosen.process), fact('Took', span(chosen.durationUs / 1000)), fact('After', span((chosen.startUs - from) / 1000)), ...Object.entries(chosen.attributes ?? {}).map(([name, value]) => fact(name, value)))}</section>` : nothing}`;
  }

  all() {
    const { rows, problem } = this.list;
    const object = this.param('object');
    if (!rows) return problem ? nothing : busy('Looking…');
    if (!rows.length) return empty(object ? `No trace of ${object} is kept` : 'No traces yet', html`Some operations are recorded each second (observe.traces-per-second) and kept for a day (observe.trace-keep).${object ? html`<br><a href="#/traces">All traces</a>` : nothing}`);
    return html`<tm-table label="Traces" .columns=${COLUMNS} .rows=${rows} .key=${(row) => row.traceId} .href=${(row) => to('traces', row.traceId)} @more=${() => this.list.more()}></tm-table>`;
  }

  render() {
    const id = this.parts[0];
    if (!id) {
      const object = this.param('object');
      return html`${heading('Traces', object ? html`<a class="button" href="#/traces">All traces</a>` : nothing)}${object ? html`<p class="c-under">of ${objectLink(object)}</p>` : nothing}
        <tm-problem .problem=${this.list.problem} @again=${() => this.list.refresh()}></tm-problem>${this.all()}`;
    }
    return html`<p class="crumb"><a href="#/traces">← Traces</a></p>${heading(html`Trace <span class="mono" title=${id}>${short(id, 8)}</span>`, html`<tm-copy .text=${id} label="the trace's id"></tm-copy>`)}
      <tm-problem .problem=${this.problem} @again=${() => this.fetch()}></tm-problem>${this.one()}`;
  }
}

customElements.define('tm-traces', Traces);
