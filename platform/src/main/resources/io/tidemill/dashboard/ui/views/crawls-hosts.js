// The hosts of a crawl: queued pages, the time of the next request, and the reason for the pause.
import { View, html, nothing } from '../core/element.js';
import { get } from '../core/api.js';
import { number, sentence, span } from '../core/format.js';
import { busy, empty } from '../parts/basics.js';

/** `<tm-crawl-hosts .crawlId=${id}>` */
class CrawlHosts extends View {
  static properties = { crawlId: { attribute: false }, answer: { state: true } };

  willUpdate(changed) {
    if (!changed.has('crawlId')) return;
    this.answer = null;
    this.every(2000, () => this.refresh(), 'hosts');
  }

  refresh() {
    return this.load('answer', (signal) => get(`/api/crawls/${encodeURIComponent(this.crawlId)}/hosts`, { signal }));
  }

  next(host) {
    if (host.pausedUntil) return html`<span class="pill busy">paused</span> <tm-countdown .until=${host.pausedUntil}></tm-countdown>`;
    if (host.nextAt) return html`<tm-countdown .until=${host.nextAt}></tm-countdown>`;
    return host.queued || host.running ? 'now' : '–';
  }

  render() {
    const hosts = this.answer?.hosts;
    const problem = html`<tm-problem .problem=${this.problem} @again=${() => this.refresh()}></tm-problem>`;
    if (!hosts) return html`${problem}${this.problem ? nothing : busy('Asking for the hosts…')}`;
    if (!hosts.length) return html`${problem}${empty('No host has anything to do', 'Nothing is queued for this crawl at the moment.')}`;
    return html`${problem}<div class="c-hosts">${hosts.map((host) => html`<article class="card c-host" data-host=${host.host}><header><h3>${host.host}</h3><span class="dim">next request</span> <span class="c-next">${this.next(host)}</span></header>
      <p>${sentence(host.why || 'nothing holds it up')}</p>
      <dl class="c-mini"><div><dt>Queued</dt><dd>${number(host.queued)}</dd></div><div><dt>Under way</dt><dd>${number(host.running)}</dd></div><div><dt>Pause between requests</dt><dd>${span(host.delayMs)}</dd></div></dl></article>`)}</div>`;
  }
}

customElements.define('tm-crawl-hosts', CrawlHosts);
