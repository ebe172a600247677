// Buttons for actions that need a role.
import { Part, html } from '../core/element.js';
import { session } from '../core/session.js';

/** `<tm-action label="Cancel" needs="operator" @act=${…}>`: disabled, with the reason, for users without the role. */
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

  /** Forwards a scripted click, as by the key `n`, to the button, which may be disabled. */
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
