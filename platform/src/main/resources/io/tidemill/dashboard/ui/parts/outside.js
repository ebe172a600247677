// Links that lead away from here. What others wrote becomes a link only when it is a web address.
import { html } from '../core/element.js';

/** The address when it is http or https, else null. */
export function webAddress(text) {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}

/** A link to somebody else's page, or just the words. */
export function outside(address, words = address) {
  const href = webAddress(address);
  return href ? html`<a href=${href} target="_blank" rel="noopener noreferrer nofollow">${words}</a>` : html`<span>${words}</span>`;
}
