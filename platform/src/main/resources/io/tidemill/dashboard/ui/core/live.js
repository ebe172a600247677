// Follows event streams (SSE) of every event type; resumes by Last-Event-ID after a disconnect.
import { open, connection, withQuery } from './api.js';
import { session } from './session.js';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
/** Heartbeats come every 15 s at most: a stream that is silent for longer is dead. */
const SILENCE = 45_000;
const EVENT_ID = /^\d+-\d+$/;

/** Splits a stream of bytes into events; null for a heartbeat. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let event = { id: null, type: 'message', data: [] };
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield null;
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
  } finally {
    reader.cancel().catch(() => {}); // it may have broken by itself
  }
}

/**
 * Follows a stream until it ends with one of the `last` types, or until closed. It pauses while the page is hidden:
 * a browser has six connections to a gateway, and background tabs must not use them up.
 *
 * @param onEvent gets {id, type, data} with data parsed where it is JSON
 * @param onState gets 'live', 'waiting' (the connection broke, it tries again), 'ended', or a Problem
 * @returns a function that closes it
 */
export function follow(path, { onEvent, onState = () => {}, last = [] }) {
  const stop = new AbortController();
  run(path, onEvent, onState, new Set(last), stop.signal);
  return () => stop.abort();
}

async function run(path, onEvent, onState, last, signal) {
  let lastId = null;
  let lastInData = null; // with `compat.originals` a job's events have their ids only there
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    await seen(signal);
    if (signal.aborted) return;
    const one = connectionOf(signal);
    try {
      const headers = { Accept: 'text/event-stream', ...(lastId ? { 'Last-Event-ID': lastId } : {}) };
      const response = await open(lastId ? path : withQuery(path, { after: lastInData }), { headers, signal: one.signal, cache: 'no-store' });
      if (response.status === 204) return onState('ended');
      onState('live');
      for await (const event of events(response.body)) {
        one.alive();
        if (signal.aborted) return;
        if (!event) continue;
        wait = FIRST_WAIT;
        const data = parsed(event.data);
        if (event.id) lastId = event.id;
        else if (EVENT_ID.test(data?.id)) lastInData = data.id;
        onEvent({ ...event, data });
        if (last.has(event.type)) return onState('ended');
      }
    } catch (failed) {
      if (signal.aborted) return;
      if (failed.status === 401) await signedIn(signal);
      else if (failed.status >= 400 && failed.status < 500 && failed.status !== 429) return onState(failed);
    } finally {
      one.close();
    }
    if (signal.aborted || document.hidden) continue;
    onState('waiting');
    await pause(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

/** Aborts one connection: by its owner, when the page is hidden, or on silence. */
function connectionOf(owner) {
  const stop = new AbortController();
  const end = () => stop.abort();
  const onSight = () => { if (document.hidden) end(); };
  let timer = setTimeout(end, SILENCE);
  owner.addEventListener('abort', end);
  document.addEventListener('visibilitychange', onSight);
  return {
    signal: stop.signal,
    alive() {
      clearTimeout(timer);
      timer = setTimeout(end, SILENCE);
    },
    close() {
      clearTimeout(timer);
      owner.removeEventListener('abort', end);
      document.removeEventListener('visibilitychange', onSight);
      end();
    },
  };
}

/** Waits until the condition is true, or the signal aborts. */
function until(isTrue, target, type, signal) {
  if (isTrue() || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (!isTrue() && !signal.aborted) return;
      target.removeEventListener(type, look);
      resolve();
    };
    target.addEventListener(type, look);
    signal.addEventListener('abort', look, { once: true });
  });
}

const seen = (signal) => until(() => !document.hidden, document, 'visibilitychange', signal);
const signedIn = (signal) => until(() => session.role !== null, session, 'change', signal);

/** Waits for a time, or until the gateway answers again. */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      connection.removeEventListener('change', back);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const back = () => { if (connection.up) end(); };
    const timer = setTimeout(end, ms);
    connection.addEventListener('change', back);
    signal.addEventListener('abort', end);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
