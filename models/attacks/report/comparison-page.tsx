import { selfContainedPage } from '../../../platform/pages/self-contained.js';
import type { Figure } from '../../charts/figure.js';
import type { ComparedAudit } from './compared-attacks.js';
import { ComparisonBody } from './comparison-body.js';

const TITLE = 'Representations under attack';

/** Several audits side by side as one self-contained page, under a figure where there is one. */
export function comparisonPage(audits: readonly ComparedAudit[], figure?: Figure): string {
  return selfContainedPage(
    TITLE,
    <main>
      <h1>{TITLE}</h1>
      <ComparisonBody audits={audits} figure={figure} />
    </main>,
  );
}
