// The batches that a crawl's pages are kept in, as downloads.
import { View, html, nothing } from '../core/element.js';
import { at, get } from '../core/api.js';
import { bytes, count } from '../core/format.js';

/** `<tm-crawl-files .crawl=${crawl}>` */
class CrawlFiles extends View {
  static properties = { crawl: { attribute: false }, found: { state: true } };

  get path() {
    return `/api/crawls/${encodeURIComponent(this.crawl.id)}/files`;
  }

  willUpdate(changed) {
    if (!changed.has('crawl') || `${this.crawl.id} ${this.crawl.status}` === this.shown) return;
    this.shown = `${this.crawl.id} ${this.crawl.status}`;
    this.load('found', (signal) => get(this.path, { signal }));
  }

  render() {
    const files = this.found?.files ?? [];
    if (!files.length) return nothing;
    return html`<details class="card"><summary>${count(files.length, 'file')} with its pages</summary><ul>${files.map((file) => html`<li><a download href=${at(`${this.path}/${encodeURIComponent(file.name)}`)}>${file.name}</a> <small>${bytes(file.bytes)}</small></li>`)}</ul></details>`;
  }
}

customElements.define('tm-crawl-files', CrawlFiles);
