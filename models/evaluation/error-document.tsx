import type { ComponentChildren, VNode } from 'preact';
import { Mark } from '../../platform/pages/mark.js';
import type { ErrorContext, Stretch } from './error-context.js';

interface ErrorDocumentProps {
  readonly id: string;
  readonly contexts: readonly ErrorContext[];
}

/** The errors in one document, each in the text around it. */
export function ErrorDocument({ id, contexts }: ErrorDocumentProps): VNode {
  return (
    <section>
      <h2>
        <bdi>{id}</bdi>
      </h2>
      {contexts.map(({ start, stretches }) => (
        <div class="context">
          <div class="id">character {start}</div>
          <bdi>{stretches.map(marked)}</bdi>
        </div>
      ))}
    </section>
  );
}

function marked({ text, outcome, gold, system }: Stretch): ComponentChildren {
  if (outcome === 'plain') return text;
  const type = {
    right: undefined,
    missed: gold.join(', '),
    spurious: system.join(', '),
    confused: `${gold.join(', ')}, not ${system.join(', ')}`,
  }[outcome];
  return (
    <Mark kind={outcome} type={type}>
      {text}
    </Mark>
  );
}
