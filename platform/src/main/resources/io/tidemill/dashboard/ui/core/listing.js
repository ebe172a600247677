// A list that refreshes its first page periodically and loads older pages on scrolling.

const FIRST = 100;
const FURTHER = 500;
const FRESH = 300;

/**
 * @param fetch gets {limit, next, count, signal} and returns {rows, total, next}; `next` undefined = last page
 * @param key of a row, and `order`, a number or a text: it gets smaller down the list, or larger with `upwards`
 * @param changed is called when there is something new to show
 */
export class Listing {
  rows = null;
  total = undefined;
  problem = null;
  #next = undefined;
  #known = new Set();
  #asking = null;
  #reading = null;

  constructor({ fetch, key, order, changed, upwards = false, first = FIRST, further = FURTHER }) {
    Object.assign(this, { fetch, key, order, changed, upwards, first, further });
  }

  /** Starts over, as after a change of filters. */
  reset() {
    this.stop();
    this.rows = null;
    this.total = undefined;
    this.problem = null;
    this.#next = undefined;
    this.changed();
  }

  /** Aborts pending requests and keeps the rows. */
  stop() {
    this.#asking?.abort();
    this.#reading?.abort();
    this.#asking = null;
    this.#reading = null;
  }

  get hasMore() {
    return this.#next !== undefined;
  }

  /** Fetches the first page and merges it into the rows. */
  async refresh() {
    if (this.#asking) return;
    const stop = new AbortController();
    this.#asking = stop;
    try {
      const limit = Math.min(Math.max(this.first, this.rows?.length ?? 0), Math.max(this.first, FRESH)); // who scrolled on sees changes there too
      const page = await this.fetch({ limit, count: 0, signal: stop.signal });
      if (stop.signal.aborted) return;
      this.#merge(page);
      this.problem = null;
    } catch (failed) {
      if (stop.signal.aborted) return;
      this.problem = failed;
    }
    this.#asking = null;
    this.changed();
  }

  #merge(page) {
    const edge = page.rows.length ? this.order(page.rows.at(-1)) : undefined;
    const first = new Set(page.rows.map(this.key));
    const isBehind = (row) => edge === undefined || (this.upwards ? this.order(row) >= edge : this.order(row) <= edge);
    const older = page.next === undefined ? [] : (this.rows ?? []).filter((row) => !first.has(this.key(row)) && isBehind(row));
    if (!older.length) this.#next = page.next;
    this.rows = [...page.rows, ...older];
    this.#known = new Set(this.rows.map(this.key));
    this.total = page.total;
  }

  /** Fetches the next page, if there is one. */
  async more() {
    if (this.#reading || this.#next === undefined || this.rows === null) return;
    const stop = new AbortController();
    this.#reading = stop;
    try {
      const page = await this.fetch({ limit: this.further, next: this.#next, count: this.rows.length, signal: stop.signal });
      if (stop.signal.aborted) return;
      const fresh = page.rows.filter((row) => !this.#known.has(this.key(row)));
      for (const row of fresh) this.#known.add(this.key(row));
      this.rows = [...this.rows, ...fresh];
      this.#next = page.next;
    } catch (failed) {
      if (stop.signal.aborted) return;
      this.problem = failed;
    }
    this.#reading = null;
    this.changed();
  }
}
