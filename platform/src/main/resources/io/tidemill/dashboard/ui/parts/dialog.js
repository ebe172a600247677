// Dialogs, confirmations and toasts.
import { Part, html, nothing } from '../core/element.js';

/**
 * `<tm-dialog heading="…">` around its content; `show()`, `close()`; fires `closed`.
 * A click outside closes it, unless it contains a form (`form`).
 */
class Dialog extends Part {
  static properties = { heading: {}, content: { attribute: false }, wide: { type: Boolean }, form: { type: Boolean } };

  show() {
    this.updateComplete.then(() => {
      const dialog = this.querySelector('dialog');
      if (!dialog || dialog.open) return;
      dialog.showModal();
      if (this.form && !dialog.querySelector('[autofocus]')) dialog.querySelector('input, select, textarea')?.focus(); // rather than on what closes it
    });
  }

  close() {
    this.querySelector('dialog')?.close();
  }

  /** Only a press that began outside: selecting text may end there. */
  press(event) {
    this.beside = event.target.tagName === 'DIALOG';
  }

  click(event) {
    if (this.beside && !this.form && event.target.tagName === 'DIALOG') this.close();
  }

  render() {
    return html`<dialog class=${this.wide ? 'wide' : ''} aria-label=${this.heading ?? 'Dialog'} @close=${() => this.dispatchEvent(new Event('closed'))} @pointerdown=${this.press} @click=${this.click}>
      <div class="dialog-in"><header><h2>${this.heading}</h2><button type="button" class="quiet" aria-label="Close" @click=${() => this.close()}>✕</button></header>
      ${this.content ?? nothing}</div></dialog>`;
  }
}

/** Asks for confirmation; returns true or false. */
export function ask(heading, text, { yes = 'Yes', danger = false } = {}) {
  return new Promise((resolve) => {
    const dialog = document.createElement('tm-dialog');
    let answer = false;
    dialog.heading = heading;
    dialog.content = html`<p class="asked">${text}</p><footer class="actions"><button type="button" ?autofocus=${danger} @click=${() => dialog.close()}>${danger ? 'Leave it' : 'Cancel'}</button>
      <button type="button" class=${danger ? 'danger' : 'primary'} ?autofocus=${!danger} @click=${() => { answer = true; dialog.close(); }}>${yes}</button></footer>`;
    dialog.addEventListener('closed', () => { dialog.remove(); resolve(answer); });
    document.body.append(dialog);
    dialog.show();
  });
}

/** `<tm-toasts>`: short messages at the edge, above open dialogs too, read out by screen readers. */
class Toasts extends Part {
  static properties = { all: { state: true } };

  constructor() {
    super();
    this.all = [];
    window.addEventListener('tm-toast', (event) => this.add(event.detail));
  }

  add(toast) {
    this.all = [...this.all.slice(-3), toast];
    setTimeout(() => this.drop(toast), toast.bad ? 12_000 : 6_000);
  }

  drop(toast) {
    this.all = this.all.filter((each) => each !== toast);
  }

  /** The last popover is on top. */
  updated() {
    const box = this.querySelector('.toasts');
    if (box.matches(':popover-open')) box.hidePopover();
    if (this.all.length) box.showPopover();
  }

  render() {
    return html`<div class="toasts" popover="manual" role="status" aria-live="polite">${this.all.map((toast) => html`<div class="toast ${toast.bad ? 'bad' : ''}">
      <span>${toast.text}</span>${toast.href ? html`<a href=${toast.href} @click=${() => this.drop(toast)}>Show</a>` : nothing}
      <button type="button" class="quiet small" aria-label="Close this message" @click=${() => this.drop(toast)}>✕</button></div>`)}</div>`;
  }
}

/** Shows a toast. */
export function say(text, { href, bad = false } = {}) {
  window.dispatchEvent(new CustomEvent('tm-toast', { detail: { text, href, bad } }));
}

/** Runs an action and shows the outcome as a toast; returns the result, or undefined when it failed. */
export async function attempt(doing, done, options) {
  try {
    const result = await doing();
    if (done) say(typeof done === 'function' ? done(result) : done, typeof options === 'function' ? options(result) : options);
    return result;
  } catch (failed) {
    say(failed.message, { bad: true });
    return undefined;
  }
}

customElements.define('tm-dialog', Dialog);
customElements.define('tm-toasts', Toasts);
