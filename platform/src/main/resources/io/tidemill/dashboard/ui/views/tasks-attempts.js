// The attempts of a task, derived from its events.
import { millis } from '../core/format.js';

/** [{n, start, end, error, next, progress, state}]: state is 'running', 'failed' or 'completed'. */
export function attempts(task, events) {
  const all = [];
  let open = null;
  const close = (end, state, more = {}) => {
    open ??= { n: all.length + 1, start: end };
    all.push({ ...open, end, state, ...more });
    open = null;
  };
  for (const event of events) {
    const data = event.data?.data ?? {};
    if (event.type === 'task.processing') {
      if (open) close(event.data.ts, 'failed', { error: { code: 'LOST', message: 'nothing more was heard of it' } });
      open = { n: all.length + 1, start: millis(data.startedAt) || event.data.ts };
    } else if (event.type === 'progress' && open) open = { ...open, progress: data };
    else if (event.type === 'task.failed') close(millis(data.failedAt) || event.data.ts, 'failed', { error: data.error, next: data.nextRetryAt });
    else if (event.type === 'task.completed') close(millis(data.completedAt), 'completed');
    else if (event.type === 'task.dead_letter' && (open || !all.length)) close(millis(data.deadLetteredAt), 'failed', { error: data.finalError });
  }
  if (open) all.push({ ...open, end: null, state: 'running', progress: task.progress ?? open.progress });
  return all;
}

/** A short description of an event. */
export function words(event) {
  const data = event.data?.data ?? {};
  switch (event.type) {
    case 'task.created': return event.data.step === 'gateway.retry' ? 'retried' : 'accepted';
    case 'task.processing': return `attempt ${(data.retryCount ?? 0) + 1}`;
    case 'task.failed': return data.error?.message ?? '';
    case 'task.dead_letter': return data.finalError?.message ?? '';
    case 'progress': return data.message ?? '';
    default: return '';
  }
}
