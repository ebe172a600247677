// Who looks: role, name, and whether anything may be changed.
import { get, post, del } from './api.js';

const RANKS = ['viewer', 'operator', 'admin'];

export const session = Object.assign(new EventTarget(), {
  known: false,
  authentication: false,
  readOnly: false,
  role: null,
  name: null,
  version: '',

  async refresh() {
    Object.assign(this, await get('/api/session'), { known: true });
    this.dispatchEvent(new Event('change'));
  },

  async signIn(key) {
    globalThis.tidemillAsked?.clear(); // answers to somebody who was not known yet
    await post('/api/session', { key });
    await this.refresh();
  },

  async signOut() {
    await del('/api/session');
    await this.refresh();
  },

  /** Whether this person has the role, or one above it. */
  is(role) {
    return this.role !== null && RANKS.indexOf(this.role) >= RANKS.indexOf(role);
  },

  /** Whether this person may change what needs the role. */
  may(role) {
    return !this.readOnly && this.is(role);
  },

  /** Why not, in words. */
  whyNot(role) {
    if (this.readOnly) return 'This gateway is read-only (api.read-only).';
    return `This needs the role ${role}; yours is ${this.role ?? 'none'}.`;
  },
});
