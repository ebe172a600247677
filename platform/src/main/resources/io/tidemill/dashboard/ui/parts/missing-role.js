// A note that no process of the required role runs.
import { Part, html, nothing } from '../core/element.js';
import { isRoleMissing, platformState } from '../core/platform-state.js';

const AGAIN = 10_000;

/** `<tm-missing-role role-name="worker" channel="jobs:stream">`: a note while no process of the role runs. Shown for unfinished objects only. */
class MissingRole extends Part {
  static properties = { roleName: { attribute: 'role-name' }, channel: {}, missing: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.timer = setInterval(() => this.check(), AGAIN);
    this.check();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  async check() {
    if (document.hidden) return;
    try {
      this.missing = isRoleMissing(await platformState(), this.roleName, this.channel);
    } catch {
      this.missing = false; // the connection state is shown elsewhere
    }
  }

  render() {
    if (!this.missing) return nothing;
    return html`<div class="note bad" role="status" data-missing-role><div><strong>No ${this.roleName} runs</strong><p>It waits until one is started: <code>./tidemill run ${this.roleName}</code>. <a href="#/overview">Overview</a></p></div></div>`;
  }
}

customElements.define('tm-missing-role', MissingRole);
