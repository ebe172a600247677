// Links to pages of others: only what parses as http or https becomes one, anything else stays text.
import { html } from '../core/element.js';

/** The URL, or null when it is none that may be followed. */
export function webUrl(text) {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
  } catch {
    return null;
  }
}

/** A link that leaves the dashboard; tells the other side nothing of us. */
export function outside(text, label = text) {
  const url = webUrl(text);
  if (!url) return html`<span class="url">${label}</span>`;
  return html`<a class="url" href=${url.href} target="_blank" rel="noopener noreferrer nofollow">${label}<span aria-hidden="true" class="leaves">↗</span><span class="unseen"> (opens a new tab)</span></a>`;
}

/** A URL without what every URL has: example.org/a/b. */
export const plainUrl = (text) => String(text ?? '').replace(/^https?:\/\//, '');
