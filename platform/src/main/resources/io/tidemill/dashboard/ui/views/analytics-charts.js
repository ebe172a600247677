// The charts of a project: items over time, sentiment, sources, keywords. A click sets a filter.
import { html, nothing, css } from '../core/element.js';
import { number } from '../core/format.js';
import { refine } from '../core/router.js';
import { colour, seriesColour } from '../parts/chart.js';
import { languageName } from './search-facets.js';

const SLOT = {
  hour: new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: '2-digit', hour12: false, timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
  day: new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', year: '2-digit', timeZone: 'UTC' }),
};
const MOST_PARTS = 8;

export const slotName = (at, interval) => {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? String(at) : (SLOT[interval] ?? SLOT.day).format(ms);
};

const unknown = (slot) => Math.max(0, slot.items - slot.positive - slot.neutral - slot.negative);

/** Items in each slot of time, by sentiment. */
export function overTime(slots, interval, choice) {
  const labels = slots.map((slot) => slotName(slot.at, interval));
  const series = [
    { name: 'positive', values: slots.map((slot) => slot.positive), colour: seriesColour(3) },
    { name: 'neutral', values: slots.map((slot) => slot.neutral), colour: seriesColour(0) },
    { name: 'negative', values: slots.map((slot) => slot.negative), colour: colour('--bad') },
    { name: 'unknown', values: slots.map(unknown), colour: seriesColour(5) },
  ];
  return html`<section class="card a-wide"><header class="a-head"><h2>Items over time</h2>${choice}</header><tm-chart type="bar" stacked label="Items over time by mood" .labels=${labels} .series=${series}></tm-chart></section>`;
}

/** The mean sentiment of each slot. */
export function mood(slots, interval) {
  const felt = slots.filter((slot) => slot.sentiment !== null && slot.sentiment !== undefined);
  return html`<section class="card"><h2>Sentiment <small>from −1 to 1</small></h2>${felt.length
    ? html`<tm-chart type="line" label="Mean sentiment over time" .range=${[-1, 1]} .labels=${felt.map((slot) => slotName(slot.at, interval))} .series=${[{ name: 'sentiment', values: felt.map((slot) => Math.round(slot.sentiment * 1000) / 1000) }]}></tm-chart>`
    : html`<p class="dim">No item has a sentiment: it is found in English texts only.</p>`}</section>`;
}

/** The shares of items; a click on a part sets the filter or removes it. */
function parts(title, name, rows, current, label = (value) => value) {
  const shown = rows.slice(0, MOST_PARTS);
  const pick = (at) => refine({ [name]: shown[at].value === current ? null : shown[at].value });
  return html`<section class="card"><h2>${title}</h2>${shown.length ? html`<tm-chart type="doughnut" .label=${title} .labels=${shown.map((row) => label(row.value))} .series=${[{ name: 'items', values: shown.map((row) => row.items) }]} .pick=${pick}></tm-chart>` : html`<p class="dim">Nothing to show.</p>`}</section>`;
}

export const platforms = (rows, current) => parts('Platforms', 'platform', rows.map((row) => ({ value: row.platform, items: row.items })), current, (value) => value || 'unknown');
export const languages = (rows, current) => parts('Languages', 'language', rows.map((row) => ({ value: row.language || 'unknown', items: row.items })), current, languageName);

const feel = (sentiment) => (sentiment === null || sentiment === undefined ? 'calm' : sentiment >= 0.05 ? 'good' : sentiment <= -0.05 ? 'bad' : 'neutral');

/** Keywords as buttons with bars by number of items. */
export function keywords(rows, current) {
  const most = Math.max(1, ...rows.map((row) => row.items));
  return html`<section class="card"><h2>Top keywords</h2>${rows.length ? html`<ul class="bars">${rows.map((row) => html`<li><button type="button" class="bar" aria-pressed=${row.keyword === current} title=${row.sentiment === null || row.sentiment === undefined ? '' : `Sentiment ${number(row.sentiment)}`}
      @click=${() => refine({ keyword: row.keyword === current ? null : row.keyword })}><i class="b-${feel(row.sentiment)}" style=${css({ width: `${(row.items / most) * 100}%` })}></i><span>${row.keyword}</span><span class="count">${number(row.items)}</span></button></li>`)}</ul>`
    : html`<p class="dim">No keywords yet.</p>`}</section>`;
}

/** Failures by code. */
export function failureCounts(rows) {
  return rows.length ? html`<section class="card"><h2>Failures by kind</h2><table class="plain"><thead><tr><th scope="col">Code</th><th scope="col">Category</th><th scope="col" class="end">Items</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr><td>${row.code}</td><td>${row.category}</td><td class="end">${number(row.items)}</td></tr>`)}</tbody></table></section>` : nothing;
}
