// Shared by workflows and tasks: retry, and the available steps and types.
import { html } from '../core/element.js';
import { at, get, withQuery } from '../core/api.js';
import { millis } from '../core/format.js';
import { webUrl } from '../parts/external-link.js';
import { ListDetailView } from './list-detail.js';

let known = null;

/** Steps, sources and types of tasks, from `/api/forms`; fetched once. */
export function forms() {
  known ??= get('/api/forms').catch((failed) => {
    known = null;
    throw failed;
  });
  return known;
}

const ENDED = new Set(['completed', 'failed', 'canceled', 'dead_letter']);

/** A view of workflows or tasks: paged by offset, with the same final states. */
export class ExecutionView extends ListDetailView {
  order(row) {
    return millis(row.createdAt);
  }

  isFinished(it) {
    return ENDED.has(it.status);
  }

  get itemPath() {
    return `${this.kind.path}/${encodeURIComponent(this.id)}`;
  }

  mayRetry(it) {
    return this.isFinished(it) && it.status !== 'completed';
  }

  async page({ limit, count, signal }) {
    const answer = await get(withQuery(this.kind.path, { ...this.asked, limit, offset: count || '' }), { signal });
    const rows = answer[this.kind.name];
    const end = count + rows.length;
    return { rows, total: answer.total, next: rows.length && end < answer.total ? end : undefined };
  }

  /** Follows it again after a retry. */
  again() {
    this.it = { ...this.it, status: 'pending', error: null, completedAt: null };
    this.begin(this.id);
    this.reload();
  }
}

const LINK_WORDS = { html: 'Open the page', pdf: 'Open the PDF', object: 'Download the file' };

/** Addresses of other sites in a result: [{name, href}]. */
function linksIn(result) {
  if (!result || typeof result !== 'object' || Array.isArray(result)) return [];
  return Object.entries(result).filter(([, value]) => typeof value === 'string' && webUrl(value)).map(([name, value]) => ({ name, href: webUrl(value).href }));
}

/** Links to the files of a task, or of one step of a workflow, through the gateway; without files, those in its result. */
export function fileLinks(path, result, files, step) {
  const own = (files ?? []).filter((each) => each.step === step);
  const href = (name) => at(`${path}${step === undefined ? '' : `/steps/${step}`}/files/${encodeURIComponent(name)}`);
  const links = own.length ? own.map((each) => ({ href: href(each.name), name: LINK_WORDS[each.field] ?? each.name })) : linksIn(result);
  return html`${links.length ? html`<p class="file-links">${links.map((each) => html`<a class="button" href=${each.href} target="_blank" rel="noopener noreferrer nofollow">${each.name}</a>`)}</p>` : ''}`;
}

/** A shortened id with a copy button. */
export const idFact = (id) => html`<span class="mono">${id}</span> <tm-copy .text=${id} label="the id"></tm-copy>`;
