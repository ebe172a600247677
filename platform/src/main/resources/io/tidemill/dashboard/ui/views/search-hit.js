// One hit: URL, snippet, explanation and origin.
import { html, nothing, css } from '../core/element.js';
import { sentence } from '../core/format.js';
import { to } from '../core/router.js';
import { externalLink, plainUrl } from '../parts/external-link.js';
import { languageName } from './search-facets.js';
import { highlighted } from './search-marks.js';

const WEIGHT = /^matches "([\s\S]+)" (in the \w+|beside the text) \(weight ([\d.]+)\)$/;

/** The explanation of a hit: words with their weights as bars, the rest as sentences. */
export function reasons(lines) {
  const weights = lines.map((line) => WEIGHT.exec(line)).filter(Boolean).map(([, word, place, weight]) => ({ word, place, weight: Number(weight) }));
  const sentences = lines.filter((line) => !WEIGHT.test(line));
  const all = weights.reduce((sum, each) => sum + each.weight, 0) || 1;
  return html`<div class="why" role="group" aria-label="Why this page">${sentences.map((line) => html`<p>${sentence(line)}</p>`)}
    ${weights.length ? html`<dl>${weights.sort((one, other) => other.weight - one.weight).map(({ word, place, weight }) => html`<div><dt><b>${word}</b> <small>${place}</small></dt>
      <dd><i style=${css({ width: `${(weight / all) * 100}%` })}></i><span title=${`weight ${weight}`}>${weight / all < 0.005 ? '<1' : Math.round((weight / all) * 100)} %</span></dd></div>`)}</dl>` : nothing}</div>`;
}

function origin(hit, actions) {
  return html`<div class="origin"><span>fetched <tm-time .at=${hit.fetchedAt}></tm-time></span>${hit.publishedAt ? html`<span>published <tm-time .at=${hit.publishedAt}></tm-time></span>` : nothing}${hit.language ? html`<span>${languageName(hit.language)}</span>` : nothing}
    ${hit.crawlId ? html`<a href=${to('crawls', hit.crawlId)}>Crawl</a><a href=${to('traces', { object: `crawl:${hit.crawlId}` })}>Trace</a>` : nothing}
    ${hit.messageId ? html`<span>came as <a href=${to('contracts', 'page')} title="What messages of this contract hold">crawler_queue</a> message <code title=${hit.messageId}>${hit.messageId.slice(0, 8)}</code></span>` : nothing}
    ${actions}</div>`;
}

/**
 * @param open the address that shows the whole page
 * @param actions what can be done with it
 */
export const hitOf = (hit, { open, going, explained, actions }) => html`<li class="hit ${going ? 'going' : ''}" data-url=${hit.url}>
  <h2 title=${hit.title ?? ''}><a href=${open} dir="auto">${hit.title ? highlighted(hit.titleHighlighted || hit.title) : plainUrl(hit.url)}</a></h2>
  <p class="where">${externalLink(hit.url, plainUrl(hit.url))}</p>
  <p class="snippet" dir="auto">${highlighted(hit.snippet)}</p>
  ${hit.passage && hit.similarity !== undefined ? html`<blockquote class="passage"><strong>Nearest in meaning (${Math.round(hit.similarity * 100)} %)</strong><span dir="auto">${hit.passage}</span></blockquote>` : nothing}
  ${explained && hit.explanation?.length ? reasons(hit.explanation) : nothing}
  ${origin(hit, actions)}</li>`;
