import type { ScoredSpan, Tagger } from '../../../models/networks/tagger.js';
import type { Inventory } from '../../../models/surrogates/inventory.js';
import {
  type Mention,
  type SurrogateLanguage,
  Surrogates,
} from '../../../models/surrogates/surrogates.js';
import type { Document, Span } from '../../../models/text/document.js';
import { findPhi } from './recognisers/find-phi.js';
import type { PatternChoice } from './recognisers/recognisers.js';

/**
 * What becomes of PHI: `[TYPE]`, as many asterisks, something made up that reads alike, or nothing but
 * a span that says where it is.
 */
export const TREATMENTS = ['tag', 'mask', 'surrogate', 'annotate'] as const;

export type Treatment = (typeof TREATMENTS)[number];

export interface DeidentifyOptions {
  readonly treatment: Treatment;
  /** Of made-up names and places, where the tagger's inventory has none. */
  readonly language?: SurrogateLanguage | undefined;
  /** As `TagOptions.threshold`. */
  readonly threshold?: number | undefined;
  /** As `FindOptions.patterns`. */
  readonly patterns?: PatternChoice | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A document whose spans say how sure the model is. */
export interface DeidentifiedDocument extends Document {
  readonly spans: readonly ScoredSpan[];
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
  const rewriter = new Rewriter(text, found, options, tagger.inventory);
  const spans = found.map((span) => ({
    ...rewriter.replace(span),
    confidence: span.confidence,
  }));
  const starts = sentences && startsAmong(found, spans, sentences);
  return { id, text: rewriter.end(), spans, found, ...(starts && { sentences: starts }) };
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

/** `spans` in order of `start`, not overlapping; replaced as `deidentify` does. */
export function replaceSpans(
  text: string,
  spans: readonly Span[],
  treatment: Treatment,
): { text: string; spans: Span[] } {
  const rewriter = new Rewriter(text, spans, { treatment });
  const placed = spans.map((span) => rewriter.replace(span));
  return { text: rewriter.end(), spans: placed };
}

/** A text in which one span after another is replaced. */
class Rewriter {
  readonly #pieces: string[] = [];
  readonly #instead: (phi: string, type: string) => string;
  #from = 0;
  #length = 0;

  constructor(
    private readonly text: string,
    spans: readonly Span[],
    options: Pick<DeidentifyOptions, 'treatment' | 'language'>,
    inventory?: Inventory,
  ) {
    const mentions = spans.map(({ type, start, end }) => ({ phi: text.slice(start, end), type }));
    this.#instead = replacer(options, mentions, inventory);
  }

  /** Where the replacement of the next span stands. */
  replace({ type, start, end }: Span): Span {
    this.#push(this.text.slice(this.#from, start));
    const at = this.#length;
    this.#push(this.#instead(this.text.slice(start, end), type));
    this.#from = end;
    return { type, start: at, end: this.#length };
  }

  end(): string {
    return this.#pieces.join('') + this.text.slice(this.#from);
  }

  #push(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}

/** What to put in the place of one mention after another of a document. */
function replacer(
  { treatment, language }: Pick<DeidentifyOptions, 'treatment' | 'language'>,
  mentions: readonly Mention[],
  inventory: Inventory | undefined,
): (phi: string, type: string) => string {
  const surrogates = new Surrogates(language, treatment === 'surrogate' ? mentions : [], inventory);
  const replacements: Readonly<Record<Treatment, (phi: string, type: string) => string>> = {
    tag: (_phi, type) => `[${type}]`,
    mask: (phi) => '*'.repeat(phi.length),
    surrogate: (phi, type) => surrogates.of(phi, type),
    annotate: (phi) => phi,
  };
  return replacements[treatment];
}
