// The result of a dry run: robots.txt, the first page, its links, and the minimum duration.
import { html, nothing } from '../core/element.js';
import { number, span, count } from '../core/format.js';
import { facts, fact } from '../parts/basics.js';
import { externalLink } from '../parts/external-link.js';

function robots({ allowed, status, crawlDelayMs, sitemaps = [] } = {}) {
  return html`<section class="card"><h3>robots.txt</h3><p><span class="pill ${allowed ? 'good' : 'bad'}">${allowed ? 'allowed' : 'not allowed'}</span> ${status ?? ''}</p>
    ${facts(fact('Pause it asks for', crawlDelayMs === null || crawlDelayMs === undefined ? 'none' : span(crawlDelayMs)), fact('Sitemaps', sitemaps.length ? sitemaps.map((url) => html`<div>${externalLink(url)}</div>`) : 'none'))}</section>`;
}

function firstPage(page) {
  if (!page) return nothing;
  return html`<section class="card"><h3>First page</h3><p><strong>${page.title || 'without a title'}</strong> <span class="pill ${page.status < 400 ? 'good' : 'bad'}">${page.status}</span> <span class="dim">${page.contentType ?? ''}</span></p>
    ${page.text ? html`<p class="dim">${page.text}</p>` : nothing}${page.canonical ? html`<p>It names another address as its own: ${externalLink(page.canonical)}</p>` : nothing}</section>`;
}

function links({ found = 0, followed = 0, refused = [], first = [] } = {}) {
  return html`<section class="card"><h3>Links</h3><p>${count(followed, 'link')} of ${number(found)} would be followed.</p>
    ${refused.length ? html`<div class="scroll"><table class="plain"><caption class="unseen">Links that are left alone</caption><thead><tr><th scope="col">Left alone because</th><th scope="col" class="end">Links</th><th scope="col">For example</th></tr></thead>
      <tbody>${refused.map((each) => html`<tr><td>${each.reason}</td><td class="end">${number(each.count)}</td><td>${each.example ? externalLink(each.example) : '–'}</td></tr>`)}</tbody></table></div>` : nothing}
    ${first.length ? html`<details><summary>The first ${first.length} that would be followed</summary><ul>${first.map((url) => html`<li>${externalLink(url)}</li>`)}</ul></details>` : nothing}</section>`;
}

/** The `preview` of a dry run's result. */
export function preview(found) {
  const { estimate = {}, sitemap } = found;
  return html`<div class="c-preview"><section class="note good"><div><strong>${count(estimate.pages ?? 0, 'page')}, at least ${span(estimate.atLeastMs ?? 0)}</strong>
      <p>One request every ${span(found.pauseMs ?? 0)}${sitemap?.urls ? `; sitemaps name ${count(sitemap.urls, 'page')}` : ''}. More pages may show up behind these links.${found.identity && found.identity !== found.url ? html` The first page is known as ${externalLink(found.identity)}.` : nothing}</p></div></section>
    <div class="cards">${robots(found.robots)}${firstPage(found.page)}</div>${links(found.links)}</div>`;
}
