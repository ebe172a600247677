// Formats numbers, sizes, times and durations.
import { now as clock } from './clock.js';

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const DATE_TIME = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZoneName: 'short' });

export const number = (value) => (value === null || value === undefined ? '–' : NUMBER.format(value));
export const compact = (value) => (value === null || value === undefined ? '–' : COMPACT.format(value));

/** 1 page, 2 pages. */
export const count = (value, one, many = one + 's') => `${number(value)} ${value === 1 ? one : many}`;

export function bytes(value) {
  if (value === null || value === undefined) return '–';
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let at = 0;
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000;
    at++;
  }
  return `${NUMBER.format(value)} ${units[at]}`;
}

export function rate(value) {
  if (value === null || value === undefined) return '–';
  return value === 0 ? '0/s' : value < 0.1 ? '<0.1/s' : `${compact(value)}/s`;
}

const both = (large, name, small, other) => (small ? `${large} ${name} ${small} ${other}` : `${large} ${name}`);

/** A duration in milliseconds: 350 ms, 4.2 s, 3 min, 2 h, 5 d. */
export function span(ms) {
  if (ms === null || ms === undefined || Number.isNaN(ms)) return '–';
  if (ms < 1) return '<1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${NUMBER.format(seconds)} s`;
  if (seconds < 3600) return both(Math.floor(seconds / 60), 'min', Math.floor(seconds % 60), 's');
  if (seconds < 86_400) return both(Math.floor(seconds / 3600), 'h', Math.floor((seconds % 3600) / 60), 'min');
  return `${NUMBER.format(seconds / 86_400)} d`;
}

/** Epoch milliseconds of a number or ISO text; NaN for anything else. */
export function millis(time) {
  if (typeof time === 'number') return time;
  if (typeof time === 'string' && /^\d+$/.test(time)) return Number(time);
  return Date.parse(time);
}

/** The exact local time with its zone. */
export function dateTime(time) {
  const ms = millis(time);
  return Number.isNaN(ms) ? '–' : DATE_TIME.format(ms);
}

/** How long ago, or in how long. */
export function relative(time, now = clock()) {
  const ms = millis(time);
  if (Number.isNaN(ms)) return '–';
  const away = Math.abs(now - ms);
  if (away < 1500) return 'now';
  const text = away < 60_000 ? `${Math.round(away / 1000)} s` : span(away).replace(/ \d+ s$/, '');
  return ms < now ? `${text} ago` : `in ${text}`;
}

/** A text as a sentence: with a capital letter and a full stop. */
export const sentence = (text) => (text ? text[0].toUpperCase() + text.slice(1) + (/[.…?!:]$/.test(text) ? '' : '.') : '');

/** The beginning of a long id. */
export const short = (id, most = 13) => (String(id).length > most + 1 ? String(id).slice(0, most) + '…' : String(id));

/** JSON with indents; anything else as text. */
export function pretty(value) {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
