// Shared by workflows and tasks: retry, and the available steps and types.
import { html } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
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

/** Files and pages in a result as links: [{name, href}]. */
export function linksIn(result) {
  if (!result || typeof result !== 'object' || Array.isArray(result)) return [];
  return Object.entries(result).filter(([, value]) => typeof value === 'string' && webUrl(value)).map(([name, value]) => ({ name, href: webUrl(value).href }));
}

const LINK_WORDS = { htmlUrl: 'Open the page', pdfUrl: 'Open the PDF', url: 'Download the file' };

/** A row of links, most of them to objects in the store. */
export function fileLinks(result) {
  const links = linksIn(result);
  const until = result?.expiresAt;
  return html`${links.length ? html`<p class="file-links">${links.map((each) => html`<a class="button" href=${each.href} target="_blank" rel="noopener noreferrer nofollow">${LINK_WORDS[each.name] ?? each.name}</a>`)}
    ${until ? html`<small>works until <tm-time .at=${until}></tm-time></small>` : ''}</p>` : ''}`;
}

/** A shortened id with a copy button. */
export const idFact = (id) => html`<span class="mono">${id}</span> <tm-copy .text=${id} label="the id"></tm-copy>`;
