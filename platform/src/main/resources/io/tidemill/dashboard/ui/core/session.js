// The session: role and name of the user.
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
    globalThis.tidemillEarly?.clear(); // responses to the previous user
    await post('/api/session', { key });
    await this.refresh();
  },

  async signOut() {
    await del('/api/session');
    await this.refresh();
  },

  /** Whether the user has the role or a higher one. */
  is(role) {
    return this.role !== null && RANKS.indexOf(this.role) >= RANKS.indexOf(role);
  },

  /** Whether the user may use actions that need the role. */
  may(role) {
    return !this.readOnly && this.is(role);
  },

  /** The reason why not. */
  whyNot(role) {
    if (this.readOnly) return 'This gateway is read-only (api.read-only).';
    return `This needs the role ${role}; yours is ${this.role ?? 'none'}.`;
  },
});
