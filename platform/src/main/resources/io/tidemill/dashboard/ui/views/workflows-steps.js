// The timeline of a workflow: steps and attempts, derived from its record and events.
import { now } from '../core/clock.js';
import { millis, span } from '../core/format.js';

/** Rows for the waterfall. Each has `step`, the index of its step, and `about`: its details. */
export function stepRows(workflow, events) {
  const begun = beginning(workflow, events);
  const rows = [];
  const started = millis(workflow.startedAt);
  if (!Number.isNaN(begun)) rows.push(waiting(workflow, begun, started));
  const results = new Map((workflow.results ?? []).map((each) => [each.stepIndex, each]));
  const retries = attemptsByStep(workflow, events);
  let at = started;
  for (const [index, name] of workflow.steps.entries()) {
    const result = results.get(index);
    const step = { name, index, result, retries: retries.get(index) ?? [] };
    if (result && millis(result.completedAt) < begun) rows.push(kept(step));
    else if (result) {
      rows.push(...ran(step, millis(result.completedAt) - result.duration, millis(result.completedAt)));
      at = millis(result.completedAt);
    } else if (index === workflow.currentStepIndex && !Number.isNaN(at) && workflow.status !== 'pending') rows.push(...current(workflow, step, at));
    else rows.push({ id: `s${index}`, step: index, label: `${index + 1}. ${name}`, kind: 'other', bare: true, took: ended(workflow) ? 'not run' : 'to come' });
  }
  return rows;
}

const ended = (workflow) => !['pending', 'processing'].includes(workflow.status);

// A retried workflow has an event for it; its record has the first start.
function beginning(workflow, events) {
  const created = events.find((event) => event.type === 'workflow.created');
  return created ? created.data.ts : millis(workflow.createdAt);
}

function waiting(workflow, begun, started) {
  const open = Number.isNaN(started);
  const end = open ? (workflow.completedAt ? millis(workflow.completedAt) : null) : Math.max(begun, started);
  return { id: 'queue', label: 'Waits for a processor', kind: 'kafka', start: begun, end, open: end === null };
}

const kept = (step) => ({ id: `s${step.index}`, step: step.index, label: `${step.index + 1}. ${step.name}`, note: `kept from an earlier run, ${span(step.result.duration)}`, kind: 'step', bare: true, took: 'kept', about: step.result });

function current(workflow, step, at) {
  const end = ended(workflow) ? millis(workflow.completedAt) : null;
  const rows = ran(step, at, end, workflow.status === 'failed');
  const note = workflow.progress ? [workflow.progress.fraction === undefined ? '' : `${Math.round(workflow.progress.fraction * 100)} %`, workflow.progress.message].filter(Boolean).join(' ') : '';
  if (note && end === null) rows[0].note = note;
  if (workflow.error) rows.at(-1).about = workflow.error;
  return rows;
}

/** The step, and below it each attempt and pause if there are several. */
function ran(step, start, end, bad = false) {
  const row = { id: `s${step.index}`, step: step.index, label: `${step.index + 1}. ${step.name}`, kind: 'step', start, end, open: end === null, bad, about: step.result };
  if (!step.retries.length) return [row];
  const begun = step.retries.filter((retry) => retry.next <= (end ?? now())).length + 1;
  const rows = [{ ...row, note: begun === 1 ? '1 attempt' : `${begun} attempts` }];
  let from = start;
  for (const [at, retry] of step.retries.entries()) {
    rows.push(part(step, `a${at}`, `Attempt ${retry.attempt}`, 'step', from, retry.at, { bad: true, note: retry.code, about: retry }));
    from = retry.next;
    const over = end !== null && from > end;
    rows.push(part(step, `w${at}`, 'Pause', 'pause', retry.at, over ? end : from > now() ? null : from, { open: !over && from > now() }));
    if (over) return rows;
  }
  if (from <= now()) rows.push(part(step, 'last', `Attempt ${step.retries.length + 1}`, 'step', from, end, { bad, open: end === null, about: step.result }));
  return rows;
}

const part = (step, id, label, kind, start, end, more) => ({ id: `s${step.index}-${id}`, step: step.index, label, kind, start, end, depth: 1, ...more });

// The retried step follows the last completed one.
function attemptsByStep(workflow, events) {
  const found = new Map();
  let index = 0;
  for (const event of events) {
    const data = event.data?.data ?? {};
    if (event.type === 'workflow.processing') index = data.currentStepIndex ?? 0;
    if (event.type === 'workflow.step.completed') index = data.stepIndex + 1;
    if (event.type !== 'workflow.step.retrying') continue;
    const all = found.get(index) ?? [];
    found.set(index, [...all, { attempt: data.attempt, code: data.code, message: data.message, at: event.data.ts, next: millis(data.nextAttemptAt) }]);
  }
  return found;
}

/** A short description of an event. */
export function words(event) {
  const data = event.data?.data ?? {};
  switch (event.type) {
    case 'workflow.created': return event.data.step === 'gateway.retry' ? 'retried' : 'accepted';
    case 'workflow.processing': return `starts with ${data.currentStep}`;
    case 'workflow.step.completed': return `${data.stepName} took ${span(data.duration)}`;
    case 'workflow.step.retrying': return `attempt ${data.attempt} failed: ${data.message}`;
    case 'workflow.completed': return `took ${span(data.duration)}`;
    case 'workflow.failed': return `${data.failedStep}: ${data.error?.message ?? ''}`;
    case 'progress': return data.message ?? '';
    default: return '';
  }
}
