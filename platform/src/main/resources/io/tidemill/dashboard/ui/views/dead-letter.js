// One dead letter: the message, the cause, redrive as it is or edited, discard.
import { View, html, nothing, heading } from '../core/element.js';
import { get, post } from '../core/api.js';
import { to } from '../core/router.js';
import { bytes } from '../core/format.js';
import { facts, fact } from '../parts/basics.js';
import { ask, attempt } from '../parts/dialog.js';
import { headersOf, raw } from './messages.js';

/** The editable part of a dead letter: its body, or a job's fields. */
function bodyOf(letter) {
  if (typeof letter.value === 'string') return letter.value;
  const payload = letter.fields?.payload ?? letter.task?.data;
  return payload === undefined ? '' : typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2);
}

// A redrive removes a message from its queue; an edited copy leaves the original there.
const QUEUED = ['jobs', 'crawler_queue', 'analytics.data.collected'];

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

class DeadLetter extends View {
  static properties = { id: {}, letter: { state: true }, text: { state: true }, checked: { state: true }, done: { state: true }, gone: { state: true }, refused: { state: true } };

  willUpdate(changed) {
    if (!changed.has('id')) return;
    this.letter = null;
    this.text = undefined;
    this.checked = null;
    this.done = null;
    this.gone = false;
    this.fetch();
  }

  get path() {
    return `/api/dead/${encodeURIComponent(this.id)}`;
  }

  fetch() {
    return this.load('letter', (signal) => get(this.path, { signal }));
  }

  edit() {
    this.text = indented(bodyOf(this.letter));
    this.checked = null;
    this.updateComplete.then(() => this.querySelector('textarea').focus());
  }

  async check() {
    this.checked = (await attempt(() => post(`${this.path}/check`, { value: this.text }))) ?? null;
    return this.checked?.valid;
  }

  async redrive(edited, again = false) {
    this.refused = null;
    try {
      this.done = await post(`${this.path}/redrive${again ? '?again=true' : ''}`, edited ? { value: this.text } : undefined);
      this.text = undefined;
      if (this.letter.source === 'tasks' || (!edited && QUEUED.includes(this.letter.source))) this.gone = true;
      else await this.reload();
    } catch (failed) {
      this.refused = failed;
      if (failed.body?.violations) this.checked = { valid: false, violations: failed.body.violations };
    }
  }

  /** Reloads it; one that is gone stays as it was loaded. */
  async reload() {
    try {
      this.letter = await get(this.path);
    } catch (failed) {
      if (failed.status === 404) this.gone = true;
      else this.problem = failed;
    }
  }

  async discard() {
    const sure = await ask('Discard this dead letter?', 'A job or a message of a queue is gone for good then; a record, task or page is marked and shown no longer.', { yes: 'Discard it', danger: true });
    if (!sure) return;
    this.refused = null;
    try {
      this.done = await post(`${this.path}/discard`);
      if (QUEUED.includes(this.letter.source)) this.gone = true;
      else await this.reload();
    } catch (failed) {
      this.refused = failed;
    }
  }

  /** The result, with a link. */
  outcome() {
    const done = this.done;
    if (done.discarded) return html`<strong>It is discarded.</strong>`;
    const [name, id, one] = done.job_id ? ['jobs', done.job_id, 'job'] : done.taskId ? ['tasks', done.taskId, 'task'] : this.letter?.source === 'pages' ? ['crawls', done.id, 'crawl'] : [];
    return html`<strong>It is redriven.</strong>${id ? html` <a href=${to(name, id)}>See the ${one}</a>` : nothing}`;
  }

  /** A handled dead letter no longer exists; a task keeps its id. */
  missing() {
    return html`<p>It may have been redriven or discarded since. ${this.id.startsWith('task-') ? html`<a href=${to('tasks', this.id)}>See the task</a>` : html`<a href=${to('dead', { tab: 'redrives' })}>Redrives and discards</a>`}</p>`;
  }

  editor() {
    return html`<section class="card" aria-label="Edit"><h2>Edit it</h2><p class="dim">It goes back to where it came from with this body; the original stays as it is. ${this.letter.schema ? html`It must fit its <a href=${this.letter.schema}>schema</a>.` : nothing}</p>
      <div class="field"><label for="edited">Body</label><textarea id="edited" class="code" rows="16" spellcheck="false" .value=${this.text} @input=${(event) => { this.text = event.target.value; this.checked = null; }}></textarea></div>
      ${this.checked ? html`<div class="note ${this.checked.valid ? 'good' : 'bad'}" role="status"><div>${this.checked.valid ? 'It fits.' : html`<strong>It does not fit.</strong><ul>${(this.checked.violations ?? []).map((each) => html`<li><code>${each.path || '/'}</code> ${each.message}</li>`)}</ul>`}</div></div>` : nothing}
      <div class="actions"><button type="button" @click=${() => { this.text = undefined; }}>Leave it</button><button type="button" @click=${() => this.check()}>Check</button>
        <tm-action label="Redrive as edited" kind="primary" @act=${() => this.redrive(true, Boolean(this.letter.redriven_at ?? this.letter.discarded_at))}></tm-action></div></section>`;
  }

  render() {
    const letter = this.letter;
    const handled = Boolean(letter?.redriven_at ?? letter?.discarded_at);
    return html`${heading(html`Dead letter <span class="mono small">${this.id}</span>`, html`${letter && !this.gone && this.text === undefined ? html`
        ${letter.editable === false ? nothing : html`<button type="button" @click=${() => this.edit()}>Edit</button>`}
        ${letter.discarded_at ? nothing : html`<tm-action label="Discard…" @act=${() => this.discard()}></tm-action>`}
        <tm-action label=${handled ? 'Redrive again' : 'Redrive'} kind="primary" @act=${() => this.redrive(false, handled)}></tm-action>` : nothing}<a href="#/dead">All dead letters</a>`)}
      <tm-problem .problem=${this.problem} @again=${() => this.fetch()}></tm-problem>${this.problem?.status === 404 ? this.missing() : nothing}
      ${this.done ? html`<div class="note good" role="status"><div>${this.outcome()}</div></div>` : nothing}
      ${this.refused ? html`<tm-problem .problem=${this.refused} @again=${() => { this.refused = null; }}></tm-problem>` : nothing}
      ${letter && this.gone ? html`<h2>As it was</h2>` : nothing}
      ${letter ? html`<div class="note ${this.gone ? '' : 'bad'}"><div><strong>${letter.message || letter.reason}</strong><p><code class="code-tag">${letter.reason}</code></p></div></div>
        ${facts(fact('From', letter.source), fact('Origin', [letter.origin, letter.origin_id].filter(Boolean).join(' ')), fact('Key', letter.key), fact('Attempts', letter.attempts), fact('Died', html`<tm-time .at=${letter.ts}></tm-time>`), letter.size === undefined ? nothing : fact('Size', bytes(letter.size)), letter.redriven_at ? fact('Redriven', html`<tm-time .at=${letter.redriven_at}></tm-time>`) : nothing, letter.discarded_at ? fact('Discarded', html`<tm-time .at=${letter.discarded_at}></tm-time>`) : nothing)}
        ${this.text === undefined ? nothing : this.editor()}
        ${letter.headers?.length ? html`<h2>Headers</h2>${headersOf(letter.headers)}` : nothing}
        <h2>${letter.fields ? 'Fields' : letter.task ? 'Task' : 'Original bytes'}</h2><tm-json .value=${letter.fields ?? letter.task ?? raw(letter) ?? ''} label="The dead letter"></tm-json>
        ${letter.stack ? html`<h2>Stack</h2><pre tabindex="0">${letter.stack}</pre>` : nothing}` : nothing}`;
  }
}

customElements.define('tm-dead-letter', DeadLetter);
