// The result of a job by its task: an answer with sources, vectors, files, a plan, or JSON.
import { html, nothing, css } from '../core/element.js';
import { number, count } from '../core/format.js';
import { to } from '../core/router.js';
import { externalLink, webUrl } from '../parts/external-link.js';

const MOST_COMPARED = 8;
const PREVIEW = 64;

/** The answer of a job; `plan` is called with a workflow to start. */
export function resultOf(job, plan) {
  const { result } = job;
  if (result === null || result === undefined) return nothing;
  const shown = { rag, embed, chat, code, plan: planned }[job.task]?.(result, plan, job);
  const all = html`<tm-json .value=${result} label="Result"></tm-json>`;
  return html`<section class="card" data-result><h2>Result</h2>${shown ? html`${shown}<details class="raw"><summary>All of it as JSON</summary>${all}</details>` : all}</section>`;
}

function written(result) {
  const { usage } = result;
  const parts = [result.model, result.finish_reason && `ended by ${result.finish_reason}`, usage && count(usage.total_tokens, 'token'), result.tries > 1 && `${result.tries} tries`].filter(Boolean);
  return html`${result.truncated ? html`<p class="note busy"><span>The answer was cut at its most tokens (max_tokens).</span></p>` : nothing}${parts.length ? html`<p class="dim">${parts.join(' · ')}</p>` : nothing}`;
}

const chat = (result) => (typeof result.text === 'string' ? html`<div class="answer" data-answer dir="auto">${result.text}</div>${written(result)}` : null);

/** The answer; marks like [1] link to the cited pages. */
function rag(result) {
  if (!result.answered) return html`<p class="note"><span>There is no answer: ${result.reason}</span></p>`;
  const byMark = new Map((result.citations ?? []).map((each) => [String(each.n), each]));
  const pieces = String(result.answer).split(/(\[\d{1,3}\])/).map((piece) => {
    const cited = byMark.get(/^\[(\d+)\]$/.exec(piece)?.[1]);
    return cited ? html`<sup class="mark">${externalLink(cited.url, cited.n)}</sup>` : piece;
  });
  return html`<div class="answer" data-answer dir="auto">${pieces}</div><p class="dim">${result.mode === 'extractive' ? 'Sentences of the pages, as they stand there.' : 'Written by the language model.'}</p>${written(result)}
    <h3>Sources</h3><ol class="citations">${(result.citations ?? []).map((each) => html`<li class=${each.cited ? 'cited' : ''} data-citation=${each.n}><div class="q-head"><span class="q-n">${each.n}</span>${externalLink(each.url, each.title || each.url)}${each.cited ? html` <span class="pill good">cited</span>` : nothing}
      <span class="q-near" title="Similarity to the question"><i style=${css({ width: `${Math.max(0, Math.min(1, each.similarity ?? 0)) * 100}%` })}></i></span><small>${number(Math.round((each.similarity ?? 0) * 100) / 100)}</small></div>
      <p class="q-url dim">${each.url}</p><p class="q-passage">${each.passage}</p>
      <p class="q-links">${each.crawl_id ? html`<a href=${to('crawls', each.crawl_id)}>Its crawl</a>` : nothing}${webUrl(each.url) ? html` <a href=${to('search', { page: each.url })}>Read it</a>` : nothing}</p></li>`)}</ol>`;
}

function bars(vector) {
  const part = vector.slice(0, PREVIEW);
  const most = Math.max(...part.map(Math.abs), 1e-9);
  return html`<span class="vector-bars" aria-hidden="true">${part.map((value) => html`<i class=${value < 0 ? 'down' : ''} style=${css({ height: `${(Math.abs(value) / most) * 50}%` })}></i>`)}</span>`;
}

const dot = (one, other) => one.reduce((sum, value, at) => sum + value * other[at], 0);

function embed(result, _, job) {
  const vectors = result.vectors ?? [];
  if (!vectors.length) return null;
  const compared = vectors.slice(0, MOST_COMPARED);
  const texts = job.payload?.texts ?? [job.payload?.text];
  return html`<p><b>${count(vectors.length, 'vector')}</b> of ${number(result.dimensions)} numbers by ${result.model}, ${count(result.total_tokens, 'token')} read.</p>
    <ol class="vectors">${vectors.slice(0, 20).map((vector, at) => html`<li><p class="v-text"><span class="count">${at + 1}</span> ${texts[at] ?? ''} <small>${count(result.tokens?.[at] ?? 0, 'token')}</small></p>${bars(vector)}<code>[${vector.slice(0, 4).map((value) => value.toFixed(4)).join(', ')}, …]</code></li>`)}</ol>
    ${vectors.length > 20 ? html`<p class="dim">and ${number(vectors.length - 20)} more</p>` : nothing}
    ${compared.length > 1 ? html`<h3>Similarity</h3><div class="scroll" tabindex="0" role="region" aria-label="Similarity of the texts"><table class="plain similar"><thead><tr><th scope="col"><span class="unseen">Text</span></th>${compared.map((_, at) => html`<th scope="col">${at + 1}</th>`)}</tr></thead>
      <tbody>${compared.map((one, at) => html`<tr><th scope="row">${at + 1}</th>${compared.map((other) => html`<td><span class="heat" style=${css({ '--heat': `${Math.max(0, Math.min(1, dot(one, other))) * 45}%` })}>${dot(one, other).toFixed(2)}</span></td>`)}</tr>`)}</tbody></table></div>` : nothing}`;
}

/** Downloads a text as a file. */
function save(name, content) {
  const address = URL.createObjectURL(new Blob([content], { type: 'text/plain' }));
  Object.assign(document.createElement('a'), { href: address, download: name.split('/').pop() }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function code(result) {
  const files = result.files ?? [];
  return html`${result.text ? html`<div class="answer" data-answer dir="auto">${result.text}</div>` : nothing}
    ${files.length ? files.map((file) => html`<details class="file" open data-file=${file.name}><summary>${file.name} <small>${[file.language, count(lines(file.content), 'line')].filter(Boolean).join(', ')}</small></summary>
      <tm-json plain .value=${file.content} .label=${file.name}></tm-json><p><button type="button" class="small" @click=${() => save(file.name, file.content)}>Download</button></p></details>`) : html`<p class="dim">The model wrote no files.</p>`}
    ${written(result)}`;
}

const lines = (text) => String(text ?? '').trimEnd().split('\n').length;

function planned(result, plan) {
  const { workflow } = result;
  if (!workflow) return null;
  return html`<div class="plan" data-plan><p><b>${workflow.name}</b> <span class="priority p-${workflow.priority ?? 'medium'}">${workflow.priority ?? 'medium'}</span></p>
    <ol class="plan-steps">${(workflow.steps ?? []).map((step) => html`<li>${step}</li>`)}</ol>
    ${workflow.input ? html`<h3>Input</h3><tm-json .value=${workflow.input} label="Input of the planned workflow"></tm-json>` : nothing}
    <p class="row"><tm-action label="Start this workflow" kind="primary" hint="Opens the form, filled in with this plan" @act=${() => plan?.(workflow)}></tm-action></p></div>${written(result)}`;
}
