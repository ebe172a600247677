// A file that a link named before its reader had signed in: opened now, in the session.
import { View, html, heading } from '../core/element.js';
import { at } from '../core/api.js';

/** Only files of the gateway: the path comes from the URL, and anybody can write one. */
const FILE = /^\/api\/(tasks|workflows|crawls)\/[^?#\\]+$/;

class Open extends View {
  get path() {
    const path = this.param('path');
    return FILE.test(path) && path.includes('/files/') ? at(path) : null;
  }

  updated() {
    if (!this.path || this.path === this.opened) return;
    this.opened = this.path;
    location.replace(this.path);
  }

  render() {
    return html`${heading('Open a file')}${this.path ? html`<p><a href=${this.path}>Open it</a> if it does not open by itself.</p>` : html`<p>This link names no file. <a href="#/overview">Overview</a></p>`}`;
  }
}

customElements.define('tm-open', Open);
