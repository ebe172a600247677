// A list that grows at its end and stays fresh at its beginning: the first page is asked for again and again, older ones when somebody scrolls there.

const FIRST = 100;
const FURTHER = 500;

/**
 * @param fetch gets {limit, next, count, signal} and answers {rows, total, next}; `next` undefined = there is no more
 * @param key of a row, and `order`: a number that is larger for newer rows
 * @param changed is called when there is something new to show
 */
export class Listing {
  rows = null;
  total = undefined;
  problem = null;
  #next = undefined;
  #known = new Set();
  #asking = null;
  #reading = false;

  constructor({ fetch, key, order, changed }) {
    Object.assign(this, { fetch, key, order, changed });
  }

  /** Begins anew, as after another choice of filters. */
  reset() {
    this.#asking?.abort();
    this.#asking = null;
    this.#reading = false;
    this.rows = null;
    this.total = undefined;
    this.problem = null;
    this.#next = undefined;
    this.changed();
  }

  /** Fetches the first page and puts it before what is known already. */
  async refresh() {
    if (this.#asking) return;
    const stop = new AbortController();
    this.#asking = stop;
    try {
      const page = await this.fetch({ limit: FIRST, count: 0, signal: stop.signal });
      if (stop.signal.aborted) return;
      this.#merge(page);
      this.problem = null;
    } catch (failed) {
      if (stop.signal.aborted || failed.name === 'AbortError') return;
      this.problem = failed;
    }
    this.#asking = null;
    this.changed();
  }

  #merge(page) {
    const oldest = page.rows.length ? this.order(page.rows.at(-1)) : Infinity;
    const first = new Set(page.rows.map(this.key));
    const older = page.next === undefined ? [] : (this.rows ?? []).filter((row) => !first.has(this.key(row)) && this.order(row) <= oldest);
    if (!older.length) this.#next = page.next;
    this.rows = [...page.rows, ...older];
    this.#known = new Set(this.rows.map(this.key));
    this.total = page.total;
  }

  /** Fetches the next page, if there is one. */
  async more() {
    if (this.#reading || this.#next === undefined || this.rows === null) return;
    this.#reading = true;
    const before = this.#next;
    try {
      const page = await this.fetch({ limit: FURTHER, next: before, count: this.rows.length });
      if (this.#next !== before) return;
      const fresh = page.rows.filter((row) => !this.#known.has(this.key(row)));
      for (const row of fresh) this.#known.add(this.key(row));
      this.rows = [...this.rows, ...fresh];
      this.#next = page.rows.length ? page.next : undefined;
      this.changed();
    } catch (failed) {
      if (failed.name !== 'AbortError') this.problem = failed;
      this.changed();
    } finally {
      this.#reading = false;
    }
  }
}
