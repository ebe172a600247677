// Facets as filters.
import { html, nothing } from '../core/element.js';
import { number, relative } from '../core/format.js';
import { refine } from '../core/router.js';
import { plainUrl } from '../parts/external-link.js';

const DAY = 86_400_000;
const SPANS = { day: [1, 'the last day'], week: [7, 'the last week'], month: [30, 'the last month'], year: [365, 'the last year'], older: [365, 'older than a year'] };
const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' });

export function languageName(code) {
  try {
    return code ? LANGUAGES.of(code) : 'unknown';
  } catch {
    return code;
  }
}

const day = (ms) => new Date(ms).toISOString().slice(0, 10);

/** A range of dates as URL parameters. */
export function datesOf(name, now) {
  const edge = day(now - SPANS[name][0] * DAY);
  return name === 'older' ? { from: null, to: edge } : { from: edge, to: null };
}

const facet = (name, value, label, count, current) => html`<li><button type="button" class="facet" aria-pressed=${current === value} @click=${() => refine({ [name]: current === value ? null : value })}><span title=${label}>${label}</span><span class="count">${number(count)}</span></button></li>`;

function group(title, name, values, current, label = (value) => value) {
  const known = values.filter((each) => each.value !== '');
  if (current && !known.some((each) => each.value === current)) known.unshift({ value: current, count: null });
  return known.length ? html`<h2>${title}</h2><ul>${known.map((each) => facet(name, each.value, label(each.value), each.count, current))}</ul>` : nothing;
}

function dates(values, { from, to }) {
  const now = Date.now();
  return html`<h2>Date</h2><ul>${values.filter((each) => each.count > 0 && SPANS[each.value]).map((each) => {
    const wanted = datesOf(each.value, now);
    const pressed = (wanted.from ?? '') === from && (wanted.to ?? '') === to;
    return html`<li><button type="button" class="facet" aria-pressed=${pressed} @click=${() => refine(pressed ? { from: null, to: null } : wanted)}><span>${SPANS[each.value][1]}</span><span class="count">${number(each.count)}</span></button></li>`;
  })}</ul>
    <div class="s-dates"><label>From<input type="date" name="from" .value=${from} @change=${(event) => refine({ from: event.target.value })}></label><label>To<input type="date" name="to" .value=${to} @change=${(event) => refine({ to: event.target.value })}></label></div>`;
}

function crawlChoice(crawls, current) {
  const all = current && !crawls.some((crawl) => crawl.id === current) ? [{ id: current, url: current }, ...crawls] : crawls;
  if (!all.length) return nothing;
  return html`<div class="s-dates"><label>Crawl<select name="crawl" @change=${(event) => refine({ crawl: event.target.value })}><option value="" ?selected=${!current}>any</option>
    ${all.map((crawl) => html`<option value=${crawl.id} ?selected=${crawl.id === current}>${plainUrl(crawl.url)}${crawl.createdAt ? `, ${relative(crawl.createdAt)}` : ''}</option>`)}</select></label></div>`;
}

/** The facets of a response, the active filters, and the crawls. */
export const facets = (found, filters, crawls) => html`${group('Site', 'site', found.site ?? [], filters.site)}${group('Language', 'lang', found.language ?? [], filters.lang, languageName)}${group('Type', 'type', found.type ?? [], filters.type)}${dates(found.date ?? [], filters)}${crawlChoice(crawls, filters.crawl)}`;
