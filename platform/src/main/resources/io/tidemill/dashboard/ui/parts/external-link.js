// Links to other sites: only http and https URLs become links, anything else stays text.
import { html } from '../core/element.js';

/** The URL; null when it is not http or https. */
export function webUrl(text) {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
  } catch {
    return null;
  }
}

/** A link to another site, without a referrer. */
export function externalLink(text, label = text) {
  const url = webUrl(text);
  if (!url) return html`<span class="url">${label}</span>`;
  return html`<a class="url" href=${url.href} target="_blank" rel="noopener noreferrer nofollow">${label}<span aria-hidden="true" class="leaves">↗</span><span class="unseen"> (opens a new tab)</span></a>`;
}

/** A URL without its scheme: example.org/a/b. */
export const plainUrl = (text) => String(text ?? '').replace(/^https?:\/\//, '');
