// How far a crawl is: a bar of what became of its pages, counts, and how fast they come.
import { Part, html, nothing, css } from '../core/element.js';
import { bytes, number, rate } from '../core/format.js';
import { millis } from '../core/format.js';
import '../parts/chart.js';

const SLOTS = 24;
const RECENT = 10_000;
const LONGEST = 120_000;

/** Pages per second in equal slots of time, from samples {ts, done}. */
export function speeds(samples, now) {
  if (samples.length < 2) return [];
  const from = Math.max(samples[0].ts, now - LONGEST);
  const width = Math.max((now - from) / SLOTS, 250);
  const slots = new Array(SLOTS).fill(0);
  for (let at = 1; at < samples.length; at++) {
    const slot = Math.floor((samples[at].ts - from) / width);
    if (slot >= 0) slots[Math.min(slot, SLOTS - 1)] += Math.max(0, samples[at].done - samples[at - 1].done);
  }
  return slots.map((pages) => (pages * 1000) / width);
}

/** Pages per second over the last seconds. */
export function speedNow(samples, now) {
  const recent = samples.filter((sample) => sample.ts >= now - RECENT);
  const before = samples.findLast((sample) => sample.ts < now - RECENT) ?? recent[0];
  if (!recent.length || !before) return 0;
  return ((recent.at(-1).done - before.done) * 1000) / Math.max(1000, Math.min(RECENT, now - before.ts));
}

const PARTS = [['fetched', 'Fetched', 'good'], ['skipped', 'Skipped', 'calm'], ['failed', 'Failed', 'bad'], ['waiting', 'Waiting', 'open']];

/** `<tm-crawl-progress .crawl=${crawl} .samples=${[{ts, done}]}>` */
class CrawlProgress extends Part {
  static properties = { crawl: { attribute: false }, samples: { attribute: false }, state: {} };

  speed(running) {
    const samples = this.samples ?? [];
    const { startedAt, endedAt } = this.crawl;
    const now = running ? Date.now() : (samples.at(-1)?.ts ?? 0);
    const values = speeds(samples, now);
    const whole = millis(endedAt) - millis(startedAt);
    const figure = running ? speedNow(samples, now) : whole > 0 ? (this.crawl.progress.fetched * 1000) / whole : null;
    return html`<div class="figure"><span class="dim">Pages a second${running ? nothing : ' (mean)'}</span><strong>${figure === null ? '–' : rate(figure).replace('/s', '')}</strong>
      ${values.length ? html`<tm-spark .values=${values} label="Pages a second over time"></tm-spark>` : nothing}</div>`;
  }

  render() {
    const crawl = this.crawl;
    const progress = crawl.progress ?? {};
    const running = crawl.status === 'pending';
    const shown = { ...progress, waiting: running ? (progress.waiting ?? 0) : 0 };
    const done = (progress.fetched ?? 0) + (progress.skipped ?? 0) + (progress.failed ?? 0);
    const whole = Math.max(1, done + shown.waiting);
    const share = Math.round((done / whole) * 100);
    return html`<section class="card crawl-progress" aria-label="Progress">
      <div class="c-bar ${running ? 'running' : ''}" role="progressbar" aria-label="Pages that are done" aria-valuemin="0" aria-valuemax="100" aria-valuenow=${running ? share : 100}
        aria-valuetext=${`${number(done)} of ${number(whole)} pages done`}>${PARTS.map(([name, , kind]) => html`<i class="c-${kind}" style=${css({ 'flex-grow': String(shown[name] ?? 0) })}></i>`)}</div>
      <div class="c-figures">
        ${PARTS.filter(([name]) => running || name !== 'waiting').map(([name, title, kind]) => html`<div class="figure" data-count=${name}><span class="dim"><i class="c-dot c-${kind}"></i>${title}</span><strong>${number(shown[name] ?? 0)}</strong></div>`)}
        <div class="figure" data-count="found"><span class="dim">Links found</span><strong>${number(progress.found ?? 0)}</strong></div>
        <div class="figure" data-count="bytes"><span class="dim">Loaded</span><strong>${bytes(progress.bytes ?? 0)}</strong></div>
        ${this.speed(running)}
      </div></section>`;
  }
}

customElements.define('tm-crawl-progress', CrawlProgress);
