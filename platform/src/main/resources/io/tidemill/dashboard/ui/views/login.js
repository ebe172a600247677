// Sign-in with an API key; the session cookie can't be read by scripts.
import { View, html, nothing } from '../core/element.js';
import { session } from '../core/session.js';

/** `again`: the session has expired, and the view stays behind the form. */
class Login extends View {
  static properties = { fault: { state: true }, busy: { state: true }, again: { type: Boolean } };

  async submit(event) {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    this.fault = null;
    try {
      await session.signIn(this.querySelector('input').value.trim());
    } catch (failed) {
      this.fault = failed.message + (failed.retryAfter ? `; try again in ${failed.retryAfter} s` : '');
      this.querySelector('input').select();
    } finally {
      this.busy = false;
    }
  }

  firstUpdated() {
    this.querySelector('input').focus();
  }

  render() {
    return html`<form class="card login" @submit=${this.submit}><h1 tabindex="-1">${this.again ? 'Your session has ended' : 'Sign in'}</h1>
      <p class="dim">${this.again ? 'Sign in again to go on where you were.' : html`With an API key of this gateway (setting <code>api.keys</code>). What you may do depends on its role.`}</p>
      <div class="field"><label for="key">API key</label><input id="key" type="password" autocomplete="current-password" required aria-invalid=${Boolean(this.fault)} aria-describedby="fault"></div>
      <p id="fault" class="fault" role="alert">${this.fault ?? nothing}</p>
      <button class="primary" ?disabled=${this.busy}>${this.busy ? 'One moment…' : 'Sign in'}</button></form>`;
  }
}

customElements.define('tm-login', Login);
