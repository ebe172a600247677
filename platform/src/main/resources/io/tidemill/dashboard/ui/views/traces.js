// One operation across every part: which part took how long, and where it went wrong.
import { View, html, nothing, heading } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { to, go } from '../core/router.js';
import { span, count } from '../core/format.js';
import { empty, facts, fact } from '../parts/basics.js';
import '../parts/table.js';
import '../parts/waterfall.js';

const PAGE = 100;
const VIEWS = { job: 'jobs', crawl: 'crawls', workflow: 'workflows', task: 'tasks' };

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
  static properties = { list: { state: true }, trace: { state: true }, chosen: { state: true } };

  willUpdate(changed) {
    if (!changed.has('route')) return;
    const id = this.parts[0] ?? '';
    const key = `${id}?${this.route.query}`;
    if (key === this.key) return;
    this.key = key;
    this.trace = null;
    this.chosen = null;
    this.problem = null;
    if (id) {
      this.list = null;
      this.end('every');
      this.again();
    } else {
      this.every(4000, () => this.again());
    }
  }

  again() {
    const id = this.parts[0];
    if (id) return this.load('trace', (signal) => get(`/api/traces/${encodeURIComponent(id)}`, { signal }));
    const object = this.param('object');
    return this.load('list', (signal) => get(withQuery('/api/traces', { object, limit: PAGE }), { signal })).then(() => {
      // What was looked for has one trace: that is what is meant.
      if (object && this.list?.traces.length === 1 && !this.parts[0]) go(to('traces', this.list.traces[0].traceId), { replace: true });
    });
  }

  async more() {
    if (!this.list?.next || this.fetching) return;
    this.fetching = true;
    try {
      const page = await get(withQuery('/api/traces', { object: this.param('object'), limit: PAGE, before: this.list.next }));
      this.end('every');
      this.list = { traces: [...this.list.traces, ...page.traces], next: page.next };
    } catch (failed) {
      this.problem = failed;
    } finally {
      this.fetching = false;
    }
  }

  one() {
    const trace = this.trace;
    if (!trace) return this.problem ? nothing : html`<p class="dim" aria-busy="true">Looking…</p>`;
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
    const list = this.list;
    if (!list) return this.problem ? nothing : html`<p class="dim" aria-busy="true">Looking…</p>`;
    if (!list.traces.length) return empty(this.param('object') ? `No trace of ${this.param('object')} is kept` : 'No traces yet', 'Some operations are recorded each second (observe.traces-per-second) and kept for a day (observe.trace-keep).');
    const columns = [
      { title: 'Operation', width: 'minmax(0, 2fr)', render: (row) => row.name },
      { title: 'About', wide: true, render: (row) => (row.objects ?? []).slice(0, 2).join(', ') },
      { title: 'Spans', width: '4.5rem', end: true, render: (row) => row.spans },
      { title: 'Took', width: '6rem', end: true, render: (row) => span(row.durationMs) },
      { title: '', width: '5rem', wide: true, render: (row) => (row.error ? html`<tm-status status="failed"></tm-status>` : nothing) },
      { title: 'Began', width: '7rem', render: (row) => html`<tm-time .at=${row.at}></tm-time>` },
    ];
    return html`<p class="dim">${count(list.traces.length, 'trace')}${list.next ? ' and more' : ''}</p><tm-table label="Traces" .columns=${columns} .rows=${list.traces} .key=${(row) => row.traceId} .href=${(row) => to('traces', row.traceId)} @more=${() => this.more()}></tm-table>`;
  }

  render() {
    const id = this.parts[0];
    return html`${heading(id ? html`Trace <span class="mono">${id.slice(0, 8)}</span>` : 'Traces', id ? html`<a href="#/traces">All traces</a>` : nothing)}
      <tm-problem .problem=${this.problem} @again=${() => this.again()}></tm-problem>
      ${id ? this.one() : this.all()}`;
  }
}

customElements.define('tm-traces', Traces);
