// How the platform stands, for views that only need to know whether somebody is there: one answer of the overview serves all for a while.
import { get } from './api.js';

const FRESH = 10_000;
let last = null;

/** The overview, at most ten seconds old. */
export function standing() {
  if (!last || Date.now() - last.at > FRESH) {
    const asked = { at: Date.now(), answer: get('/api/overview') };
    last = asked;
    asked.answer.catch(() => { if (last === asked) last = null; });
  }
  return last.answer;
}

/** Whether nobody runs the role, and no program of another make reads its channel. */
export function isDeserted({ roles, contracts, servers }, name, channel) {
  if (servers.find((server) => server.name === 'redis')?.status !== 'up') return false; // nobody knows who runs
  const role = roles.find((each) => each.name === name);
  const contract = contracts.find((each) => each.channel === channel);
  return role?.status === 'down' && ((contract?.consumers ?? 0) <= role.processes.length || Boolean(contract.why?.some((why) => why.code === 'NO_CONSUMER')));
}
