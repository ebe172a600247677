// Times that update every second: age, countdown, duration.
import { Part, html, nothing } from '../core/element.js';
import { now, onTick } from '../core/clock.js';
import { relative, dateTime, span, millis } from '../core/format.js';

/** Renders every second. */
class Ticking extends Part {
  connectedCallback() {
    super.connectedCallback();
    this.stop = onTick(() => this.requestUpdate());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
  }
}

/** `<tm-time .at=${ms}>`: how long ago, kept up to date; the exact time on hover. */
class Time extends Ticking {
  static properties = { at: { attribute: false } };

  render() {
    const ms = millis(this.at);
    if (Number.isNaN(ms)) return html`<span class="dim">–</span>`;
    return html`<time datetime=${new Date(ms).toISOString()} title=${dateTime(ms)}>${relative(ms)}</time>`;
  }
}

/** `<tm-countdown .until=${ms}>`: how long still, by the second; "now" when it is over. */
class Countdown extends Ticking {
  static properties = { until: { attribute: false } };

  render() {
    const left = millis(this.until) - now();
    if (Number.isNaN(left)) return nothing;
    return html`<span class="countdown" title=${dateTime(this.until)}>${left <= 0 ? 'now' : `in ${span(Math.ceil(left / 1000) * 1000)}`}</span>`;
  }
}

/** `<tm-took .from=${…} .to=${…}>`: how long it took; counts on while there is no end. */
class Took extends Ticking {
  static properties = { from: { attribute: false }, to: { attribute: false } };

  render() {
    const from = millis(this.from);
    if (Number.isNaN(from)) return html`<span class="dim">–</span>`;
    if (this.to) return html`<span>${span(Math.max(0, millis(this.to) - from))}</span>`;
    return html`<span class="running">${span(Math.max(0, Math.round((now() - from) / 1000) * 1000))}</span>`;
  }
}

customElements.define('tm-time', Time);
customElements.define('tm-countdown', Countdown);
customElements.define('tm-took', Took);
