// The events of a crawl, the newest first.
import { Part, html } from '../core/element.js';
import { dateTime } from '../core/format.js';
import { empty } from '../parts/basics.js';
import '../parts/table.js';
import '../parts/dialog.js';

const said = (event) => Object.entries(event.data?.data ?? {}).map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`).join(', ');

const COLUMNS = [
  { title: 'Event', width: '7rem', render: (event) => html`<tm-status .status=${event.type}></tm-status>` },
  { title: 'What it says', width: 'minmax(0, 4fr)', render: (event) => html`<span title=${said(event)}>${said(event)}</span>` },
  { title: 'Where', width: '10rem', wide: true, render: (event) => html`<span class="dim">${event.data?.step ?? ''}</span>` },
  { title: 'When', width: '12rem', end: true, wide: true, render: (event) => dateTime(event.data?.ts) },
];

/** `<tm-crawl-events .events=${[…]}>` */
class CrawlEvents extends Part {
  static properties = { events: { attribute: false }, shown: { state: true } };

  async open(event) {
    this.shown = event;
    await this.updateComplete;
    this.querySelector('tm-dialog').show();
  }

  render() {
    if (!this.events?.length) return empty('No events', 'They are kept for some time after the end of a crawl.');
    return html`<tm-table label="Events of this crawl" .columns=${COLUMNS} .rows=${[...this.events].reverse()} .key=${(event) => event.id} @open=${(opened) => this.open(opened.detail)}></tm-table>
      <tm-dialog heading="Event" .content=${html`<tm-json .value=${this.shown?.data} label="Event"></tm-json>`}></tm-dialog>`;
  }
}

customElements.define('tm-crawl-events', CrawlEvents);
