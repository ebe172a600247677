// The progress of a crawl: outcomes of its pages as a bar, counts and speed.
import { Part, html, nothing, css } from '../core/element.js';
import { now as clock } from '../core/clock.js';
import { bytes, millis, number, rate } from '../core/format.js';
import { speeds, speedNow } from './crawls-speed.js';
import '../parts/chart.js';

const PARTS = [['fetched', 'Fetched', 'good'], ['skipped', 'Skipped', 'calm'], ['failed', 'Failed', 'bad'], ['waiting', 'Waiting', 'open']];

/** `<tm-crawl-progress .crawl=${crawl} .samples=${[{ts, done}]}>` */
class CrawlProgress extends Part {
  static properties = { crawl: { attribute: false }, samples: { attribute: false } };

  speed(running) {
    const samples = this.samples ?? [];
    const { startedAt, endedAt } = this.crawl;
    const now = running ? clock() : (samples.at(-1)?.ts ?? 0);
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
      <div class="figures">
        ${PARTS.filter(([name]) => running || name !== 'waiting').map(([name, title, kind]) => html`<div class="figure" data-count=${name}><span class="dim"><i class="c-dot c-${kind}"></i>${title}</span><strong>${number(shown[name] ?? 0)}</strong></div>`)}
        <div class="figure" data-count="found"><span class="dim">Links found</span><strong>${number(progress.found ?? 0)}</strong></div>
        <div class="figure" data-count="bytes"><span class="dim">Loaded</span><strong>${bytes(progress.bytes ?? 0)}</strong></div>
        ${this.speed(running)}
      </div></section>`;
  }
}

customElements.define('tm-crawl-progress', CrawlProgress);
