import type { ScoredSpan, Tagger } from '../../../models/networks/tagger.js';
import type { Inventory } from '../../../models/surrogates/inventory.js';
import type { SurrogateLocale } from '../../../models/surrogates/surrogate-language.js';
import type { SurrogateShift } from '../../../models/surrogates/surrogate-shift.js';
import type { Document, Span } from '../../../models/text/document.js';
import { findPhi } from './recognisers/find-phi.js';
import type { PatternChoice } from './recognisers/recognisers.js';
import { ReplacedText } from './replaced-text.js';
import type { Treatment } from './treatment.js';

export interface DeidentifyOptions {
  readonly treatment: Treatment;
  /** Of made-up names and places, where the tagger's inventory has none. */
  readonly language?: SurrogateLocale | undefined;
  /** By how much the surrogates of dates and ages move; drawn for this document alone where absent. */
  readonly shift?: SurrogateShift | undefined;
  /** As `TagOptions.threshold`. */
  readonly threshold?: number | undefined;
  /** As `FindOptions.patterns`. */
  readonly patterns?: PatternChoice | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Where a replacement stands. How sure the model was of what it replaces is said under `annotate` alone: who has the pipeline
 * could try names until one gives the same number.
 */
export interface ReplacedSpan extends Span {
  readonly confidence?: number;
}

export interface DeidentifiedDocument extends Document {
  readonly spans: readonly ReplacedSpan[];
  /** Where the PHI stood that they replace. */
  readonly found: readonly ScoredSpan[];
}

/**
 * The document with the PHI that `tagger` and the recognisers find replaced; the spans are where the replacements
 * stand. The document's own spans are ignored. Under `annotate` the text still holds all PHI: for
 * evaluation and for annotators.
 */
export async function deidentify(
  { id, text, sentences }: Document,
  tagger: Tagger & { readonly inventory?: Inventory | undefined },
  options: DeidentifyOptions,
): Promise<DeidentifiedDocument> {
  const found = await findPhi(text, tagger, { ...options, sentences });
  const replaced = new ReplacedText(text, found, options, tagger.inventory);
  const spans = found.map((span) => ({
    ...replaced.replace(span),
    ...(options.treatment === 'annotate' && { confidence: span.confidence }),
  }));
  const starts = sentences && startsAmong(found, spans, sentences);
  return { id, text: replaced.end(), spans, found, ...(starts && { sentences: starts }) };
}

/** Where sentences begin once spans are replaced; one that begins within a span has no place any more. */
function startsAmong(
  found: readonly Span[],
  replaced: readonly Span[],
  starts: readonly number[],
): number[] {
  let before = 0;
  return starts.flatMap((start) => {
    while ((found[before]?.end ?? Infinity) <= start) before++;
    if ((found[before]?.start ?? Infinity) < start) return [];
    const shift = before === 0 ? 0 : endOf(replaced, before) - endOf(found, before);
    return [start + shift];
  });
}

function endOf(spans: readonly Span[], before: number): number {
  return (spans[before - 1] as Span).end;
}
