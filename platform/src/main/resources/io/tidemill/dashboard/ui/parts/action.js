// Buttons that change something: they know who may press them.
import { Part, html } from '../core/element.js';
import { session } from '../core/session.js';

/** `<tm-action label="Cancel" needs="operator" @act=${…}>`: greyed out, with the reason, for those who may not. */
class Action extends Part {
  static properties = { label: {}, needs: {}, kind: {}, busy: { type: Boolean }, disabled: { type: Boolean }, hint: {} };

  constructor() {
    super();
    this.needs = 'operator';
    this.kind = '';
    this.onSession = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    session.addEventListener('change', this.onSession);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    session.removeEventListener('change', this.onSession);
  }

  /** A click from a script, as of the key `n`, presses the button: it may be disabled. */
  click() {
    this.querySelector('button')?.click();
  }

  render() {
    const may = session.may(this.needs);
    return html`<button type="button" class=${this.kind} ?disabled=${!may || this.busy || this.disabled} title=${may ? (this.hint ?? '') : session.whyNot(this.needs)}
      @click=${() => this.dispatchEvent(new Event('act'))}>${this.busy ? 'Working…' : this.label}</button>`;
  }
}

customElements.define('tm-action', Action);
