// Charts by Chart.js in the page's own colours; loaded when the first one is shown. A table says the same to screen readers.
import { Part, html } from '../core/element.js';
import { theme } from '../core/theme.js';

const SERIES = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--series-6'];

/** A colour of the page for a canvas. */
export function colour(name) {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

export const seriesColour = (at) => colour(SERIES[at % SERIES.length]);

async function library() {
  await import('chart.js');
  return globalThis.Chart;
}

/** `<tm-chart type="line" .labels=${[…]} .series=${[{name, values, colour?}]} label="…" stacked .range=${[least, most]}>` */
class ChartPart extends Part {
  static properties = { type: {}, labels: { attribute: false }, series: { attribute: false }, label: {}, stacked: { type: Boolean }, horizontal: { type: Boolean }, pick: { attribute: false }, range: { attribute: false } };

  constructor() {
    super();
    this.type = 'line';
    this.labels = [];
    this.series = [];
    this.onTheme = () => this.draw(true);
  }

  connectedCallback() {
    super.connectedCallback();
    theme.addEventListener('change', this.onTheme);
    if (this.hasUpdated) this.draw(true);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    theme.removeEventListener('change', this.onTheme);
    this.chart?.destroy();
    this.chart = null;
  }

  updated() {
    this.draw(false);
  }

  async draw(anew) {
    const Chart = await library();
    if (!this.isConnected) return;
    if (anew || (this.chart && this.chart.config.type !== this.type)) {
      this.chart?.destroy();
      this.chart = null;
    }
    const data = { labels: this.labels, datasets: this.series.map((each, at) => this.dataset(each, at)) };
    if (this.chart) {
      this.chart.data = data;
      this.chart.update('none');
    } else {
      this.chart = new Chart(this.querySelector('canvas'), { type: this.type, data, options: this.options() });
    }
  }

  dataset(series, at) {
    const round = this.type === 'doughnut' || this.type === 'pie';
    const tint = round ? series.values.map((_, index) => series.colours?.[index] ?? seriesColour(index)) : (series.colour ?? seriesColour(at));
    return { label: series.name, data: series.values, borderColor: round ? colour('--surface') : tint, backgroundColor: tint, borderWidth: round ? (series.values.length > 1 ? 2 : 0) : this.type === 'line' ? 2 : 0, pointRadius: this.labels.length > 40 ? 0 : 2, tension: 0.25, maxBarThickness: 44, borderRadius: this.type === 'bar' ? 3 : 0 };
  }

  options() {
    const text = colour('--text-soft');
    const [line, strong] = [colour('--line'), colour('--line-strong')];
    const zero = this.range?.[0] < 0;
    const grid = { color: zero ? ({ tick }) => (tick?.value === 0 ? strong : line) : line, drawTicks: false };
    const round = this.type === 'doughnut' || this.type === 'pie';
    const ticks = { color: text, maxRotation: 0, autoSkipPadding: 16 };
    return {
      responsive: true, maintainAspectRatio: false, animation: false, cutout: '66%', indexAxis: this.horizontal ? 'y' : 'x',
      interaction: { mode: round ? 'nearest' : 'index', intersect: round, axis: this.horizontal ? 'y' : 'x' },
      plugins: { legend: { display: round || this.series.length > 1, position: 'bottom', labels: { color: text, boxWidth: 12, boxHeight: 12 } } },
      scales: round ? {} : { x: { stacked: this.stacked, grid: this.horizontal ? grid : { display: false }, ticks, beginAtZero: true }, y: { stacked: this.stacked, beginAtZero: true, min: this.range?.[0], max: this.range?.[1], grid: this.horizontal ? { display: false } : grid, border: { display: false }, ticks: this.range ? { ...ticks, stepSize: (this.range[1] - this.range[0]) / 4 } : ticks } },
      onClick: (_, hit) => { if (this.pick && hit.length) this.pick(hit[0].index, hit[0].datasetIndex); },
    };
  }

  render() {
    return html`<div class="chart"><canvas role="img" aria-label=${this.label ?? 'Chart'}></canvas></div>
      <details class="chart-data"><summary>Figures</summary><div class="scroll" tabindex="0" role="region" aria-label=${`Figures of ${this.label ?? 'the chart'}`}><table class="plain"><thead><tr><th scope="col"></th>${this.series.map((each) => html`<th scope="col">${each.name}</th>`)}</tr></thead>
      <tbody>${this.labels.map((label, at) => html`<tr><th scope="row">${label}</th>${this.series.map((each) => html`<td>${each.values[at]}</td>`)}</tr>`)}</tbody></table></div></details>`;
  }
}

/** `<tm-spark .values=${[…]}>`: a sparkline. */
class Spark extends Part {
  static properties = { values: { attribute: false }, label: {} };

  render() {
    const values = this.values ?? [];
    const most = Math.max(...values, 1e-9);
    const step = values.length > 1 ? 100 / (values.length - 1) : 0;
    const points = values.map((value, at) => `${(at * step).toFixed(1)},${(23 - (value / most) * 21).toFixed(1)}`).join(' ');
    return html`<svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" aria-label=${this.label ?? 'Trend'}><polygon points=${`0,24 ${points} 100,24`}></polygon><polyline points=${points}></polyline></svg>`;
  }
}

customElements.define('tm-chart', ChartPart);
customElements.define('tm-spark', Spark);
