// Base classes of views and parts: Lit elements without shadow DOM, which share style sheets and tab order.
import { LitElement, html, nothing } from 'lit';
import { directive, Directive } from 'lit-html/directive.js';
import { follow } from './live.js';

export { html, svg, nothing } from 'lit';
export { repeat } from 'lit-html/directives/repeat.js';
export { keyed } from 'lit-html/directives/keyed.js';

/** An element that renders into itself. */
export class Part extends LitElement {
  createRenderRoot() {
    return this;
  }
}

/**
 * A view: gets `route` ({parts, query}); everything it starts ends when it is removed.
 *
 * `every` and `follow` start things, `load` fetches into a property and keeps the failure in `problem`.
 */
export class View extends Part {
  static properties = { route: { attribute: false }, problem: { state: true }, loading: { state: true } };

  #endings = new Map();
  #loads = new Map();
  #failed = null;

  /** The path segments after the view's name. */
  get parts() {
    return this.route?.parts ?? [];
  }

  param(name) {
    return this.route?.query.get(name) ?? '';
  }

  /** Fetches into the property; a later call for the same property aborts an earlier one. */
  async load(property, fetching) {
    this.#loads.get(property)?.abort();
    const stop = new AbortController();
    this.#loads.set(property, stop);
    this.loading = true;
    try {
      const found = await fetching(stop.signal);
      if (stop.signal.aborted) return;
      this[property] = found;
      if (this.#failed === property) this.problem = null;
    } catch (failed) {
      if (failed.name === 'AbortError' || stop.signal.aborted) return;
      this.problem = failed;
      this.#failed = property;
    } finally {
      if (this.#loads.get(property) === stop) this.#loads.delete(property);
      this.loading = this.#loads.size > 0;
    }
  }

  /** Aborts the request for the property. */
  leave(property) {
    this.#loads.get(property)?.abort();
  }

  /** Calls now and periodically while the page is visible, one call at a time. */
  every(ms, callback, name = 'every') {
    let asking = false;
    const tick = async () => {
      if (document.hidden || asking) return;
      asking = true;
      try {
        await callback();
      } finally {
        asking = false;
      }
    };
    tick();
    const timer = setInterval(tick, ms);
    document.addEventListener('visibilitychange', tick);
    this.ending(name, () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    });
  }

  /** Follows an event stream; replaces one of the same name. */
  follow(path, options, name = 'follow') {
    this.ending(name, follow(path, options));
  }

  /** Registers a clean-up; runs the previous one of the same name. */
  ending(name, end) {
    this.end(name);
    this.#endings.set(name, end);
  }

  end(name) {
    this.#endings.get(name)?.();
    this.#endings.delete(name);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    for (const end of this.#endings.values()) end();
    this.#endings.clear();
    for (const stop of this.#loads.values()) stop.abort();
  }
}

/** `style=${css({width: '40%'})}`: sets single properties, which a strict CSP allows where a style attribute is refused. */
export const css = directive(
  class extends Directive {
    #before = [];

    render() {
      return nothing;
    }

    update({ element }, [properties]) {
      for (const name of this.#before) if (!(name in properties)) element.style.removeProperty(name);
      for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
      this.#before = Object.keys(properties);
      return nothing;
    }
  },
);

/** The heading of a view: title and tools. */
export const heading = (title, beside = nothing) => html`
  <header class="view-head"><h1 tabindex="-1">${title}</h1><div class="view-tools">${beside}</div></header>`;
