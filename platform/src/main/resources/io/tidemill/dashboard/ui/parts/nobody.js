// Says that something waits for nobody: the role that would do it does not run.
import { Part, html, nothing } from '../core/element.js';
import { isDeserted, standing } from '../core/standing.js';

const AGAIN = 10_000;

/** `<tm-nobody role-name="worker" channel="jobs:stream">`: a note while no process of the role runs. Shown only beside what is not over. */
class Nobody extends Part {
  static properties = { roleName: { attribute: 'role-name' }, channel: {}, missing: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.timer = setInterval(() => this.look(), AGAIN);
    this.look();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  async look() {
    if (document.hidden) return;
    try {
      this.missing = isDeserted(await standing(), this.roleName, this.channel);
    } catch {
      this.missing = false; // what does not answer is told elsewhere
    }
  }

  render() {
    if (!this.missing) return nothing;
    return html`<div class="note bad" role="status" data-nobody><div><strong>No ${this.roleName} runs</strong><p>It waits until one is started: <code>./tidemill run ${this.roleName}</code>. <a href="#/overview">Overview</a></p></div></div>`;
  }
}

customElements.define('tm-nobody', Nobody);
