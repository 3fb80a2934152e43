import type { VNode } from 'preact';
import type { ScoredSpan } from '../../../models/networks/tagger.js';
import { NOT_TRANSLATED } from '../../../platform/pages/kept-from-browser.js';
import { Mark } from '../../../platform/pages/mark.js';
import { percent } from '../../../platform/percent-text.js';

interface MarkedTextProps {
  readonly text: string;
  /** In order, not overlapping. */
  readonly spans: readonly ScoredSpan[];
}

/** A note with its PHI marked, each by type and how sure the model is. */
export function MarkedText({ text, spans }: MarkedTextProps): VNode {
  const starts = [0, ...spans.map(({ end }) => end)];
  return (
    <div class="text" {...NOT_TRANSLATED}>
      {spans.map(({ type, start, end, confidence }, i) => (
        <>
          {text.slice(starts[i], start)}
          <Mark kind="phi" type={`${type} ${percent(confidence, { digits: 0 })}`}>
            {text.slice(start, end)}
          </Mark>
        </>
      ))}
      {text.slice(starts.at(-1))}
    </div>
  );
}
