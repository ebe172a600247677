// Follows event streams (SSE) of every event type; comes back by Last-Event-ID after a break.
import { open } from './api.js';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/** Cuts a stream of bytes into events. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let event = { id: null, type: 'message', data: [] };
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) {
      if (line === '') {
        if (event.data.length) yield { ...event, data: event.data.join('\n') };
        event = { id: event.id, type: 'message', data: [] };
        continue;
      }
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const text = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'data') event.data.push(text);
      else if (field === 'event') event.type = text;
      else if (field === 'id') event.id = text;
    }
  }
}

/**
 * Follows a stream until it ends with one of the `last` types, or until closed.
 *
 * @param onEvent gets {id, type, data} with data parsed where it is JSON
 * @param onState gets 'live', 'waiting' (the connection broke, it tries again), 'ended', or a Problem
 * @returns what closes it
 */
export function follow(path, { onEvent, onState = () => {}, last = [] }) {
  const stop = new AbortController();
  run(path, onEvent, onState, new Set(last), stop.signal);
  return () => stop.abort();
}

async function run(path, onEvent, onState, last, signal) {
  let lastId = null;
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    try {
      const headers = { Accept: 'text/event-stream', ...(lastId ? { 'Last-Event-ID': lastId } : {}) };
      const response = await open(path, { headers, signal, cache: 'no-store' });
      if (response.status === 204) return onState('ended');
      onState('live');
      wait = FIRST_WAIT;
      for await (const event of events(response.body)) {
        if (event.id) lastId = event.id;
        onEvent({ ...event, data: parsed(event.data) });
        if (last.has(event.type)) {
          onState('ended');
          return;
        }
      }
    } catch (failed) {
      if (signal.aborted) return;
      if (failed.status >= 400 && failed.status < 500 && failed.status !== 429) return onState(failed);
    }
    if (signal.aborted) return;
    onState('waiting');
    await pause(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => { clearTimeout(timer); resolve(); }, { once: true });
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
