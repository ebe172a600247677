// The map of the platform: roles as boxes, contracts as arrows, animated while messages flow.
import { Part, html, svg, nothing } from '../core/element.js';
import { rate, compact, count, span } from '../core/format.js';

const BOXES = [
  { name: 'gateway', x: 16, y: 16, w: 132, h: 352 },
  { name: 'crawler', x: 424, y: 16, w: 140, h: 130 },
  { name: 'processor', x: 424, y: 178, w: 140, h: 98 },
  { name: 'worker', x: 424, y: 308, w: 140, h: 60 },
  { name: 'indexer', x: 806, y: 16, w: 122, h: 56 },
  { name: 'collector', x: 806, y: 90, w: 122, h: 56 },
];
const STORES = [
  { name: 'index', title: 'search index', x: 974, y: 16, w: 138, h: 56, from: 'indexer', holds: (store) => count(store.documents, 'page') },
  { name: 'analytics', title: 'analytics', x: 974, y: 90, w: 138, h: 56, from: 'collector', holds: (store) => count(store.items, 'item') },
];
const ARROWS = {
  'crawl-requests': { y: 46, from: 148, to: 424 },
  'crawl-responses': { y: 112, from: 424, to: 148 },
  workflows: { y: 204, from: 148, to: 424 },
  tasks: { y: 254, from: 148, to: 424 },
  'jobs:stream': { y: 338, from: 148, to: 424 },
  crawler_queue: { y: 44, from: 564, to: 806 },
  'analytics.data.collected': { y: 118, from: 564, to: 806 },
};
const SERVERS = ['kafka', 'redis', 'amqp', 's3', 'llm', 'smtp'];
const BROKEN = ['NO_CONSUMER', 'SERVER_DOWN', 'INDEX_ELSEWHERE'];

const weight = (contract) => (contract.why?.some((why) => BROKEN.includes(why.code)) ? 'bad' : contract.depth > 0 ? 'busy' : 'good');

const words = (contract) => [rate(contract.rate), contract.depth > 0 ? `${compact(contract.depth)} waiting` : '', contract.depth > 0 && contract.oldestMs ? `oldest ${span(contract.oldestMs)}` : ''].filter(Boolean).join(' · ');

const many = (processes) => (processes === 0 ? 'not running' : processes === 1 ? '' : `${processes} processes`);

class OverviewMap extends Part {
  static properties = { now: { attribute: false }, chosen: {} };

  choose(channel) {
    this.dispatchEvent(new CustomEvent('choose', { detail: channel }));
  }

  box(box, status, title, note, kind = '') {
    const middle = box.x + box.w / 2 + (kind ? 5 : 0);
    return svg`<g class="m-box ${kind} s-${status}"><rect x=${box.x} y=${box.y} width=${box.w} height=${box.h} rx="10"></rect><circle cx=${box.x + 13} cy=${box.y + 13} r="4.5"></circle>
      <text x=${middle} y=${box.y + box.h / 2 + (note ? -1 : 5)} class="m-name">${title}</text>
      ${note ? svg`<text x=${middle} y=${box.y + box.h / 2 + 16} class="m-note">${note}</text>` : nothing}</g>`;
  }

  arrow(contract) {
    const arrow = ARROWS[contract.channel];
    if (!arrow) return nothing;
    const middle = (arrow.from + arrow.to) / 2;
    const path = `M${arrow.from} ${arrow.y} H${arrow.to + (arrow.to > arrow.from ? -3 : 3)}`;
    return svg`<g class="m-arrow ${weight(contract)} ${contract.rate > 0 ? 'moving' : ''} ${contract.channel === this.chosen ? 'current' : ''}" @click=${() => this.choose(contract.channel)}>
      <path d=${path} class="m-touch"></path><path d=${path} class="m-line" marker-end="url(#tip)"></path>
      <text x=${middle} y=${arrow.y - 8} class="m-channel"><tspan class="m-note">${contract.id} </tspan>${contract.channel}</text>
      <text x=${middle} y=${arrow.y + 16} class="m-figures">${words(contract)}${contract.dead > 0 ? svg`<tspan class="m-dead"> · ${compact(contract.dead)} dead</tspan>` : nothing}</text></g>`;
  }

  server(server, at) {
    const x = 640 + (at % 3) * 160;
    const y = 226 + Math.floor(at / 3) * 50;
    return svg`<g class="m-server s-${server.status}"><rect x=${x} y=${y} width="152" height="40" rx="9"></rect><circle cx=${x + 16} cy=${y + 20} r="4.5"></circle>
      <text x=${x + 30} y=${y + 24.5}>${server.name}<tspan class="m-note">${server.status === 'up' ? '' : ` ${server.status}`}</tspan></text></g>`;
  }

  render() {
    const { roles, contracts, servers, stores = [] } = this.now;
    const role = Object.fromEntries(roles.map((each) => [each.name, each]));
    const server = Object.fromEntries(servers.map((each) => [each.name, each]));
    const store = Object.fromEntries(stores.map((each) => [each.name, each]));
    return html`<svg class="overview-map" viewBox="0 0 1128 384" role="img" aria-label="Roles as boxes and contracts as arrows between them; the table below says the same">
      <defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerUnits="userSpaceOnUse" markerWidth="12" markerHeight="12" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" class="m-tip"></path></marker></defs>
      ${STORES.map((each) => { const from = BOXES.find((box) => box.name === each.from); return svg`<path class="m-line" d=${`M${from.x + from.w} ${from.y + from.h / 2} H${each.x - 3}`} marker-end="url(#tip)"></path>`; })}
      ${BOXES.map((box) => this.box(box, role[box.name]?.status ?? 'down', box.name, many(role[box.name]?.processes.length ?? 0)))}
      ${STORES.map((each) => this.box(each, server[each.name]?.status ?? 'off', each.title, store[each.name] ? each.holds(store[each.name]) : '', 'm-store'))}
      ${contracts.map((contract) => this.arrow(contract))}
      ${servers.filter((each) => SERVERS.includes(each.name)).map((each, at) => this.server(each, at))}
    </svg>`;
  }
}

customElements.define('tm-overview-map', OverviewMap);
