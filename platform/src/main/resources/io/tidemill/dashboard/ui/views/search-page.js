// One page of the index: text, origin, actions.
import { View, html, nothing } from '../core/element.js';
import { get, post, del, withQuery } from '../core/api.js';
import { to } from '../core/router.js';
import { busy, facts, fact } from '../parts/basics.js';
import { ask, attempt, say } from '../parts/dialog.js';
import { externalLink } from '../parts/external-link.js';
import { isEmail, rememberedOwner, rememberOwner } from './crawls-owner.js';
import { languageName } from './search-facets.js';

/** Removes a page after confirmation; returns whether it was confirmed. */
export async function removePage(url) {
  if (!(await ask('Remove this page', `${url} leaves the index. A later crawl may bring it back.`, { yes: 'Remove', danger: true }))) return false;
  return (await attempt(() => del(withQuery('/api/pages', { url })), 'The page is being removed.')) !== undefined;
}

/** Asks for the owner, then has the page fetched again. */
class Recrawl extends View {
  static properties = { url: { state: true }, fault: { state: true }, busy: { state: true } };

  async open(url) {
    this.url = url;
    this.fault = null;
    await this.updateComplete;
    const dialog = this.querySelector('tm-dialog');
    dialog.show();
    await dialog.updateComplete;
    this.querySelector('input').value = rememberedOwner();
  }

  async send(event) {
    event?.preventDefault();
    if (this.busy) return;
    const email = this.querySelector('input').value.trim();
    if (!isEmail(email)) {
      this.fault = 'Owner must be like name@example.org.';
      this.querySelector('input').focus();
      return;
    }
    this.busy = true;
    const crawl = await attempt(() => post('/api/crawls', { url: this.url, email, recrawl: true }), 'The page is being fetched again.', (started) => ({ href: to('crawls', started.id) }));
    this.busy = false;
    if (!crawl) return;
    rememberOwner(email);
    this.querySelector('tm-dialog').close();
    this.watch(crawl);
  }

  /** Shows the result. */
  watch({ id, url }) {
    const path = `/api/crawls/${encodeURIComponent(id)}`;
    this.follow(`${path}/events`, {
      last: ['completed', 'failed', 'canceled'],
      onEvent: () => {},
      onState: async (state) => {
        if (state !== 'ended') return;
        const { status, result } = await get(path).catch(() => ({}));
        if (status === 'completed') say(`${url} was fetched again.`, { href: to('crawls', id) });
        else if (status) say(`${url} could not be fetched: ${result?.errorMessage ?? status}`, { href: to('crawls', id), bad: true });
        this.dispatchEvent(new Event('fetched'));
      },
    }, id);
  }

  render() {
    return html`<tm-dialog form heading="Fetch again" .content=${html`<form novalidate @submit=${(event) => this.send(event)}><p class="url">${this.url}</p>
      <div class="field"><label for="recrawl-email">Owner</label><input id="recrawl-email" name="email" type="email" autocomplete="email" placeholder="name@example.org" aria-invalid=${Boolean(this.fault)}>
      ${this.fault ? html`<p class="fault" role="alert">${this.fault}</p>` : nothing}<p class="hint">Whose crawl it is. This browser remembers it.</p></div>
      <footer class="actions"><tm-action kind="primary" label="Fetch again" ?busy=${this.busy} @act=${() => this.send()}></tm-action><button hidden></button></footer></form>`}></tm-dialog>`;
  }
}

/** `<tm-page .url=${url}>`: shows the page as a dialog while there is a URL; fires `closed`, `recrawl` and `remove` with the URL. */
class Page extends View {
  static properties = { url: { attribute: false }, page: { state: true }, whole: { state: true } };

  willUpdate(changed) {
    if (!changed.has('url')) return;
    this.page = null;
    this.problem = null;
    this.whole = false;
    if (this.url) this.fetch();
  }

  updated(changed) {
    if (!changed.has('url')) return;
    const dialog = this.querySelector('tm-dialog');
    if (this.url) dialog.show();
    else dialog.close();
  }

  fetch() {
    const { url } = this;
    return this.load('page', (signal) => get(withQuery('/api/pages', { url }), { signal }));
  }

  tell(name) {
    this.dispatchEvent(new CustomEvent(name, { detail: this.page?.url ?? this.url }));
  }

  about(page) {
    return html`${page.description ? html`<p class="dim">${page.description}</p>` : nothing}
      ${facts(
        fact('Fetched', html`<tm-time .at=${page.fetchedAt}></tm-time>`), page.publishedAt ? fact('Published', html`<tm-time .at=${page.publishedAt}></tm-time>`) : nothing,
        fact('Answer', page.statusCode), fact('Language', languageName(page.language)), fact('Type', page.type || 'unknown'),
        fact('Came by', page.crawlId ? html`<a href=${to('crawls', page.crawlId)}>its crawl</a> · <a href=${to('search', { crawl: page.crawlId })}>other pages of it</a> · <a href=${to('traces', { object: `crawl:${page.crawlId}` })}>Trace</a>` : 'unknown'),
        fact('Message', page.messageId ? html`<code>${page.messageId}</code> <tm-copy .text=${page.messageId} label="the message's id"></tm-copy><br><a href=${to('contracts', 'page')}>What such messages hold</a> · <a href=${to('servers', 'amqp', 'crawler_queue')}>Their queue</a>` : 'unknown'),
        fact('Fingerprint', html`<code>${page.contentHash}</code>`),
      )}
      <div class="page-text" dir="auto" tabindex="0" role="region" aria-label="Text of the page">${page.text || 'There is no text.'}${this.whole && page.rest ? html`<hr><span class="dim">${page.rest}</span>` : nothing}</div>
      ${page.rest ? html`<p><button type="button" class="link" aria-expanded=${Boolean(this.whole)} @click=${() => { this.whole = !this.whole; }}>${this.whole ? 'Hide the text around it' : 'Show the text around it too'}</button></p>` : nothing}
      <footer class="actions"><tm-action label="Fetch again" @act=${() => this.tell('recrawl')}></tm-action><tm-action kind="danger" label="Remove" @act=${() => this.tell('remove')}></tm-action></footer>`;
  }

  render() {
    const page = this.page;
    return html`<tm-dialog wide .heading=${page?.title || 'Page'} .content=${this.url ? html`<p>${externalLink(page?.url ?? this.url)}</p><tm-problem .problem=${this.problem} @again=${() => this.fetch()}></tm-problem>
      ${page ? this.about(page) : this.problem ? nothing : busy('Fetching the page…')}` : nothing} @closed=${() => this.tell('closed')}></tm-dialog>`;
  }
}

customElements.define('tm-recrawl', Recrawl);
customElements.define('tm-page', Page);
