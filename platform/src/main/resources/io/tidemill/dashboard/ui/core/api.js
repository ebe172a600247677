// The client of the gateway. Every failure is a Problem (RFC 9457).
import { setClock } from './clock.js';

/** A failed request; status 0 = no answer. */
export class Problem extends Error {
  constructor(status, body = {}, retryAfter = null) {
    super(words(body) || body.title || `the gateway answered ${status}`);
    this.name = 'Problem';
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/** Why; with `compat.originals` some refusals are no problem documents. */
function words({ detail, details, error }) {
  if (typeof detail === 'string') return detail;
  return detail?.message ?? detail?.[0]?.msg ?? details?.[0]?.message ?? error;
}

/** Whether the gateway answers; fires `change`. */
export const connection = Object.assign(new EventTarget(), {
  up: true,
  note(up) {
    if (this.up === up) return;
    this.up = up;
    this.dispatchEvent(new Event('change'));
  },
});

const SIGNED_OUT = 'tm-signed-out';
const LONGEST = 20_000;
/** The gateway's path, from this module's own URL: PATH/ui/STAMP/core/api.js */
const BASE = new URL('../../..', import.meta.url).pathname.replace(/\/$/, '');

/** A path of the gateway as the browser has to ask for it: behind a proxy it may be below another one. */
export const at = (path) => BASE + path;

/** Calls back when a response has status 401. */
export function onSignedOut(callback) {
  window.addEventListener(SIGNED_OUT, callback);
}

async function problemOf(response) {
  let body = {};
  try {
    body = await response.json();
  } catch {
    // not JSON: only the status is known
  }
  if (response.status === 401) window.dispatchEvent(new Event(SIGNED_OUT));
  return new Problem(response.status, body, Number(response.headers.get('Retry-After')) || null);
}

/** Turns connection failures into a Problem; an abort passes through. */
async function reached(asking) {
  try {
    return await asking();
  } catch (failed) {
    if (failed.name === 'AbortError') throw failed;
    connection.note(false);
    throw new Problem(0, { detail: 'the gateway does not answer' });
  }
}

function send(path, init) {
  return reached(async () => {
    const response = await (early(path, init) ?? fetch(at(path), { credentials: 'same-origin', redirect: 'error', ...init }));
    connection.note(true);
    setClock(response.headers.get('Date'));
    return response;
  });
}

/** The response that early.js requested while the modules were loading; each is used once. */
function early(path, init) {
  const asked = init.method === 'GET' ? globalThis.tidemillEarly?.get(path) : undefined;
  if (asked) globalThis.tidemillEarly.delete(path);
  return asked;
}

/** One call; returns the parsed body, null when it is empty. */
export async function call(method, path, body, { signal, headers = {} } = {}) {
  // A silent connection never ends by itself.
  const limit = AbortSignal.timeout(LONGEST);
  const init = { method, signal: signal ? AbortSignal.any([signal, limit]) : limit, headers: { Accept: 'application/json', ...headers } };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers['Content-Type'] = 'application/json';
  }
  const response = await send(path, init);
  if (!response.ok) throw await problemOf(response);
  if (response.status === 204) return null;
  const text = await reached(() => response.text());
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    throw new Problem(response.status, { detail: 'the answer is no JSON: something between here and the gateway may have changed it' });
  }
}

export const get = (path, options) => call('GET', path, undefined, options);
export const post = (path, body = {}, options) => call('POST', path, body, options);
export const del = (path, options) => call('DELETE', path, undefined, options);

/** A path with query parameters; empty ones are left out. */
export function withQuery(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== '' && value !== false) query.append(name, value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** The response itself, for streaming bodies. */
export async function open(path, init) {
  const response = await send(path, { method: 'GET', ...init });
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** The Idempotency-Key of a form: the same body sent again after a disconnect has the same key and is accepted once. */
export class IdempotencyKey {
  #text = null;
  #key = null;

  /** The header for this body; call `reset()` after it was accepted. */
  header(body) {
    const text = JSON.stringify(body);
    if (text !== this.#text) {
      this.#text = text;
      this.#key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
    }
    return { 'Idempotency-Key': this.#key };
  }

  reset() {
    this.#text = null;
  }
}
