import { Mark } from '../../platform/pages/mark.js';
import { markupOf } from '../../platform/pages/markup.js';
import { Notice } from '../../platform/pages/notice.js';
import { PAGE_END, selfContainedStart } from '../../platform/pages/self-contained.js';
import { Wide } from '../../platform/pages/wide.js';
import type { DocumentPair } from './document-counts.js';
import { errorContexts } from './error-context.js';
import { ErrorDocument } from './error-document.js';
import type { Evaluation } from './evaluate.js';
import { evaluationTable } from './evaluation-table.js';

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
    const heading = (
      <header class="first">
        <h1>{TITLE}</h1>
        <Notice kind="danger">
          <p>
            <strong>
              This page holds text of the documents, protected health information included.
            </strong>{' '}
            Keep it where the documents are kept, do not send it, delete it after use.
          </p>
        </Notice>
      </header>
    );
    return `${selfContainedStart(TITLE)}<main class="errors" translate="no">\n${markupOf(heading)}\n`;
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
    return `${markupOf(<ErrorDocument id={pair.gold.id} contexts={contexts} />)}\n`;
  }

  tail(evaluation: Evaluation): string {
    const summary = (
      <>
        <section class="first">
          <Wide name="Scores">
            <pre>{evaluationTable(evaluation).join('\n')}</pre>
          </Wide>
          <p>
            {this.#shown + this.#left} of {evaluation.documents} documents have errors. In the text:{' '}
            <Mark kind="missed" type="gold type">
              PHI that the system missed
            </Mark>{' '}
            <Mark kind="spurious" type="system type">
              no PHI, but marked by the system
            </Mark>{' '}
            <Mark kind="confused" type="gold type, not system type">
              PHI of another type
            </Mark>{' '}
            <Mark kind="right">right</Mark>
          </p>
        </section>
        {this.#left > 0 && <p>{this.#left} further documents with errors are not shown.</p>}
      </>
    );
    return `${markupOf(summary)}\n</main>\n${PAGE_END}`;
  }
}
