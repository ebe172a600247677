// Pages per second: of one crawl over time, and of each crawl in a list.

const SLOTS = 24;
const RECENT = 10_000;
const LONGEST = 120_000;

/** Pages per second in equal slots of time, from samples {ts, done}. */
export function speeds(samples, now) {
  if (samples.length < 2) return [];
  const from = Math.max(samples[0].ts, now - LONGEST);
  const width = Math.max((now - from) / SLOTS, 250);
  const slots = new Array(SLOTS).fill(0);
  for (let at = 1; at < samples.length; at++) {
    const slot = Math.floor((samples[at].ts - from) / width);
    if (slot >= 0) slots[Math.min(slot, SLOTS - 1)] += Math.max(0, samples[at].done - samples[at - 1].done);
  }
  return slots.map((pages) => (pages * 1000) / width);
}

/** Pages per second over the last seconds. */
export function speedNow(samples, now) {
  const recent = samples.filter((sample) => sample.ts >= now - RECENT);
  const before = samples.findLast((sample) => sample.ts < now - RECENT) ?? recent[0];
  if (!recent.length || !before) return 0;
  return ((recent.at(-1).done - before.done) * 1000) / Math.max(1000, Math.min(RECENT, now - before.ts));
}

/** Drops old samples. */
export const recentOnly = (samples, now) => {
  const from = samples.findLastIndex((sample) => sample.ts < now - LONGEST);
  return from > 0 ? samples.slice(from) : samples;
};

/** The speed of each crawl in a list, from its successive counts. */
export class Speeds {
  #samples = new Map();

  note(crawls) {
    const ts = Date.now();
    for (const { id, status, progress } of crawls) {
      if (status !== 'pending' || !progress) {
        this.#samples.delete(id);
        continue;
      }
      const done = progress.fetched + progress.skipped + progress.failed;
      this.#samples.set(id, recentOnly([...(this.#samples.get(id) ?? []), { ts, done }], ts));
    }
  }

  /** Null after one sample. */
  of(id) {
    const samples = this.#samples.get(id) ?? [];
    return samples.length > 1 ? speedNow(samples, Date.now()) : null;
  }
}
