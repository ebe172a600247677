// The platform as a picture: roles as boxes, contracts as arrows that move when messages do.
import { Part, html, svg, nothing } from '../core/element.js';
import { rate, compact, span } from '../core/format.js';

const BOXES = [
  { name: 'gateway', x: 20, y: 20, w: 130, h: 400 },
  { name: 'crawler', x: 400, y: 20, w: 130, h: 130 },
  { name: 'indexer', x: 740, y: 30, w: 110, h: 56 },
  { name: 'collector', x: 740, y: 140, w: 110, h: 56 },
  { name: 'processor', x: 400, y: 220, w: 130, h: 90 },
  { name: 'worker', x: 400, y: 350, w: 130, h: 60 },
];
const STORES = [
  { name: 'index', title: 'search index', x: 920, y: 30, w: 110, h: 56, from: 'indexer' },
  { name: 'analytics', title: 'analytics', x: 920, y: 140, w: 110, h: 56, from: 'collector' },
];
const ARROWS = {
  'crawl-requests': { d: 'M150 50 H396', x: 273, y: 40 },
  'crawl-responses': { d: 'M400 112 H154', x: 273, y: 102 },
  workflows: { d: 'M150 245 H396', x: 273, y: 235 },
  tasks: { d: 'M150 295 H396', x: 273, y: 285 },
  'jobs:stream': { d: 'M150 380 H396', x: 273, y: 370 },
  crawler_queue: { d: 'M530 58 H736', x: 633, y: 48 },
  'analytics.data.collected': { d: 'M530 120 C600 120 640 168 736 168', x: 633, y: 190 },
};

const weight = (contract) => (contract.dead > 0 || contract.why?.some((why) => ['NO_CONSUMER', 'SERVER_DOWN'].includes(why.code)) ? 'bad' : contract.depth > 0 ? 'busy' : 'good');

const words = (contract) =>
  [rate(contract.rate), contract.depth > 0 ? `${compact(contract.depth)} waiting` : '', contract.depth > 0 && contract.oldestMs ? `oldest ${span(contract.oldestMs)}` : '', contract.dead > 0 ? `${compact(contract.dead)} dead` : '']
    .filter(Boolean)
    .join(' · ');

class OverviewMap extends Part {
  static properties = { now: { attribute: false }, chosen: {} };

  choose(channel) {
    this.dispatchEvent(new CustomEvent('choose', { detail: channel }));
  }

  box(box, status, title = box.name, note = '') {
    return svg`<g class="m-box s-${status}"><rect x=${box.x} y=${box.y} width=${box.w} height=${box.h} rx="9"></rect>
      <text x=${box.x + box.w / 2} y=${box.y + box.h / 2 + (note ? -3 : 5)} class="m-name">${title}</text>
      ${note ? svg`<text x=${box.x + box.w / 2} y=${box.y + box.h / 2 + 15} class="m-note">${note}</text>` : nothing}</g>`;
  }

  arrow(contract) {
    const arrow = ARROWS[contract.channel];
    if (!arrow) return nothing;
    return svg`<g class="m-arrow ${weight(contract)} ${contract.rate > 0 ? 'moving' : ''} ${contract.channel === this.chosen ? 'current' : ''}" @click=${() => this.choose(contract.channel)}>
      <path d=${arrow.d} class="m-touch"></path><path d=${arrow.d} class="m-line" marker-end="url(#tip)"></path>
      <text x=${arrow.x} y=${arrow.y} class="m-channel">${contract.id} ${contract.channel}</text>
      <text x=${arrow.x} y=${arrow.y + (contract.channel === 'analytics.data.collected' ? 15 : 27)} class="m-figures">${words(contract)}</text></g>`;
  }

  render() {
    const { roles, contracts, servers } = this.now;
    const role = Object.fromEntries(roles.map((each) => [each.name, each]));
    const server = Object.fromEntries(servers.map((each) => [each.name, each]));
    const processes = (name) => role[name]?.processes.length ?? 0;
    return html`<svg class="overview-map" viewBox="0 0 1050 440" role="img" aria-label="Roles as boxes and contracts as arrows between them; the table below says the same">
      <defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" class="m-tip"></path></marker></defs>
      ${STORES.map((store) => { const from = BOXES.find((box) => box.name === store.from); return svg`<path class="m-line plain" d=${`M${from.x + from.w} ${from.y + from.h / 2} H${store.x - 4}`} marker-end="url(#tip)"></path>`; })}
      ${BOXES.map((box) => this.box(box, role[box.name]?.status ?? 'down', box.name, processes(box.name) > 1 ? `${processes(box.name)} processes` : processes(box.name) === 0 ? 'not running' : ''))}
      ${STORES.map((store) => this.box(store, server[store.name]?.status ?? 'off', store.title))}
      ${contracts.map((contract) => this.arrow(contract))}
      <g class="m-servers">${servers.filter((each) => ['kafka', 'redis', 'amqp', 's3', 'llm', 'smtp'].includes(each.name)).map((each, at) => svg`<g><circle cx=${622 + (at % 3) * 140} cy=${330 + Math.floor(at / 3) * 44} r="5" class="s-${each.status}"></circle><text x=${634 + (at % 3) * 140} y=${335 + Math.floor(at / 3) * 44}>${each.name} ${each.status === 'up' ? '' : each.status}</text></g>`)}</g>
    </svg>`;
  }
}

customElements.define('tm-overview-map', OverviewMap);
