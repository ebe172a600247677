// The API marks matches with `<em>` in escaped text. This splits it into plain text: nothing of a page is interpreted as markup.
import { html } from '../core/element.js';

const NAMED = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const MOST = 0x10ffff;

function character(whole, name) {
  if (name[0] !== '#') return NAMED[name] ?? whole;
  const code = name[1] === 'x' || name[1] === 'X' ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
  return code <= MOST ? String.fromCodePoint(code) : whole;
}

const plain = (text) => text.replace(/&(#x[0-9a-f]+|#\d+|[a-z]+);/gi, character);

/** Pieces {text, marked} of a text with `<em>`. */
export function pieces(marked) {
  return String(marked ?? '').split(/(<em>[\s\S]*?<\/em>)/).filter(Boolean).map((piece) => (piece.startsWith('<em>') && piece.endsWith('</em>')
    ? { text: plain(piece.slice(4, -5)), marked: true } : { text: plain(piece), marked: false }));
}

/** The text with its matches as `<mark>`. */
export const highlighted = (marked) => pieces(marked).map((piece) => (piece.marked ? html`<mark>${piece.text}</mark>` : piece.text));
