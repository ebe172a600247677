// What comes over the page: dialogs, questions, short messages.
import { Part, html, nothing } from '../core/element.js';

/** `<tm-dialog heading="…">` around its content; `show()`, `close()`; tells `closed`. */
class Dialog extends Part {
  static properties = { heading: {}, content: { attribute: false }, wide: { type: Boolean } };

  show() {
    this.updateComplete.then(() => {
      const dialog = this.querySelector('dialog');
      if (!dialog.open) dialog.showModal();
    });
  }

  close() {
    this.querySelector('dialog')?.close();
  }

  render() {
    return html`<dialog class=${this.wide ? 'wide' : ''} aria-label=${this.heading ?? 'Dialog'} @close=${() => this.dispatchEvent(new Event('closed'))}
      @click=${(event) => { if (event.target.tagName === 'DIALOG') this.close(); }}>
      <div class="dialog-in"><header><h2>${this.heading}</h2><button type="button" class="quiet" aria-label="Close" @click=${() => this.close()}>✕</button></header>
      ${this.content ?? nothing}</div></dialog>`;
  }
}

/** Asks before something is done that can't be undone; answers true or false. */
export function ask(heading, text, { yes = 'Yes', danger = false } = {}) {
  return new Promise((resolve) => {
    const dialog = document.createElement('tm-dialog');
    let answer = false;
    dialog.heading = heading;
    dialog.content = html`<p>${text}</p><footer class="actions"><button type="button" @click=${() => dialog.close()}>Cancel</button>
      <button type="button" class=${danger ? 'danger' : 'primary'} autofocus @click=${() => { answer = true; dialog.close(); }}>${yes}</button></footer>`;
    dialog.addEventListener('closed', () => { dialog.remove(); resolve(answer); });
    document.body.append(dialog);
    dialog.show();
  });
}

/** `<tm-toasts>`: short messages at the edge, read out by screen readers. */
class Toasts extends Part {
  static properties = { all: { state: true } };

  constructor() {
    super();
    this.all = [];
    window.addEventListener('tm-toast', (event) => this.add(event.detail));
  }

  add(toast) {
    this.all = [...this.all.slice(-3), toast];
    setTimeout(() => { this.all = this.all.filter((each) => each !== toast); }, toast.bad ? 10_000 : 5_000);
  }

  render() {
    return html`<div class="toasts" role="status" aria-live="polite">${this.all.map((toast) => html`<div class="toast ${toast.bad ? 'bad' : ''}">
      <span>${toast.text}</span>${toast.href ? html`<a href=${toast.href}>Show</a>` : nothing}</div>`)}</div>`;
  }
}

/** Says something in passing. */
export function say(text, { href, bad = false } = {}) {
  window.dispatchEvent(new CustomEvent('tm-toast', { detail: { text, href, bad } }));
}

/** Does something, says what came of it; answers the result, or undefined when it failed. */
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
