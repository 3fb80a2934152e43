import { type Html, html } from '../charts/html.js';
import { pageHead } from '../charts/page-head.js';
import type { DocumentPair } from './document-counts.js';
import { type ErrorContext, errorContexts, type Stretch } from './error-context.js';
import type { Evaluation } from './evaluate.js';
import { evaluationTable } from './evaluation-table.js';

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 0 auto; padding: 1rem;
  color: #1d2126; background: #fff; display: flex; flex-direction: column; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
.first { order: -1; }
.warning { border: 2px solid #a4262c; background: #fdf3f4; padding: .75rem 1rem; }
pre { overflow-x: auto; font-size: .8rem; line-height: 1.35; background: #f6f7f8; padding: 1rem; }
.context { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0; padding: .5rem .75rem;
  border-left: 3px solid #d0d5da; }
.place { color: #5b6570; font-size: .8rem; }
mark { color: inherit; padding: .05rem .15rem; border-radius: .2rem; unicode-bidi: isolate; }
.right { background: #dff1e1; } .missed { background: #f9c9cb; font-weight: 600; }
.spurious { background: #fde7a9; } .confused { background: #d5dcfb; }
.type { font: 600 .65rem system-ui, sans-serif; margin-left: .3rem; color: #3b434b; }
@media print { .context { break-inside: avoid; } }
`;

const TITLE = 'Errors of a de-identification system';
const MOST_DOCUMENTS = 500;

/**
 * A page that shows a system's errors in the text around them, in pieces to be written one after
 * the other: documents as they are scored, then the scores, which the page shows first. The page
 * holds text of the documents, PHI included, and is for a local reader alone.
 */
export class ErrorPage {
  #shown = 0;
  #left = 0;

  head(): string {
    return html`${pageHead(TITLE, STYLE)}
<header class="first">
<h1>${TITLE}</h1>
<p class="warning"><strong>This page holds text of the documents, protected health information
included.</strong> Keep it where the documents are kept, do not send it, delete it after use.</p>
</header>
`.markup;
  }

  /** Nothing where the system made no error. */
  document(pair: DocumentPair): string {
    const contexts = errorContexts(pair);
    if (contexts.length === 0) return '';
    if (this.#shown >= MOST_DOCUMENTS) {
      this.#left++;
      return '';
    }
    this.#shown++;
    return html`<section>
<h2><bdi>${pair.gold.id}</bdi></h2>
${contexts.map(contextHtml)}</section>
`.markup;
  }

  tail(evaluation: Evaluation): string {
    const left =
      this.#left === 0
        ? ''
        : html`<p>${this.#left} further documents with errors are not shown.</p>`;
    return html`<section class="first">
<pre>${evaluationTable(evaluation).join('\n')}</pre>
<p>${this.#shown + this.#left} of ${evaluation.documents} documents have errors. In the text:
<mark class="missed">PHI that the system missed<span class="type">gold type</span></mark>
<mark class="spurious">no PHI, but marked by the system<span class="type">system type</span></mark>
<mark class="confused">PHI of another type<span class="type">gold type, not system type</span></mark>
<mark class="right">right</mark></p>
</section>
${left}`.markup;
  }
}

function contextHtml({ start, stretches }: ErrorContext): Html {
  return html`<div class="context"><div class="place">character ${start}</div><bdi>${stretches.map(stretchHtml)}</bdi></div>
`;
}

function stretchHtml({ text, outcome, gold, system }: Stretch): Html {
  if (outcome === 'plain') return html`${text}`;
  const name = {
    right: '',
    missed: gold.join(', '),
    spurious: system.join(', '),
    confused: `${gold.join(', ')}, not ${system.join(', ')}`,
  }[outcome];
  const type = name === '' ? '' : html`<span class="type">${name}</span>`;
  return html`<mark class="${outcome}">${text}${type}</mark>`;
}
