// The overview for other views, cached for some seconds.
import { get } from './api.js';

const FRESH = 10_000;
let last = null;

/** The overview, at most ten seconds old. */
export function platformState() {
  if (!last || Date.now() - last.at > FRESH) {
    const asked = { at: Date.now(), answer: get('/api/overview') };
    last = asked;
    asked.answer.catch(() => { if (last === asked) last = null; });
  }
  return last.answer;
}

/** Whether no process runs the role, and no other program reads its channel. */
export function isRoleMissing({ roles, contracts, servers }, name, channel) {
  if (servers.find((server) => server.name === 'redis')?.status !== 'up') return false; // the processes are not known
  const role = roles.find((each) => each.name === name);
  const contract = contracts.find((each) => each.channel === channel);
  return role?.status === 'down' && ((contract?.consumers ?? 0) <= role.processes.length || Boolean(contract.why?.some((why) => why.code === 'NO_CONSUMER')));
}
