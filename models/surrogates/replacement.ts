import type { Document, Span } from '../text/document.js';
import { type LabelScheme, mapType, requireKnownTypes } from '../text/label-scheme.js';
import type { Draws } from './draws.js';
import type { Inventory } from './inventory.js';
import { inSurroundingCase, surroundingCases } from './surrounding-case.js';

/** A document cut at its entities: `gaps` has one text more than there are `types`. */
export interface MaskedDocument {
  /** What stands before, between and after the entities. */
  readonly gaps: readonly string[];
  /** Of each entity, its type in the label scheme. */
  readonly types: readonly string[];
}

/**
 * What is left of a document once its entities are taken out; labels that the scheme calls no PHI are
 * text like any other. Throws `label-unknown`.
 */
export function maskEntities(
  { text, spans }: Pick<Document, 'text' | 'spans'>,
  scheme: LabelScheme,
): MaskedDocument {
  requireKnownTypes(spans, scheme);
  const gaps: string[] = [];
  const types: string[] = [];
  let from = 0;
  for (const { type, start, end } of spans) {
    const mapped = mapType(type, scheme);
    if (mapped === null) continue;
    gaps.push(text.slice(from, start));
    types.push(mapped);
    from = end;
  }
  return { gaps: [...gaps, text.slice(from)], types };
}

/**
 * A document with a surrogate in the place of each entity, drawn by type and by chance alone, in capitals or
 * without any where the text around is written so: the
 * result is a function of the masked document and of `draws`, so that it is the same whatever the
 * entities were (docs/theory.md, Replacement). Throws `inventory-missing`.
 */
export function fillEntities(
  { gaps, types }: MaskedDocument,
  inventory: Inventory,
  draws: Draws,
): Pick<Document, 'text' | 'spans'> {
  let text = gaps[0] ?? '';
  const cases = surroundingCases(gaps);
  const spans: Span[] = types.map((type, i) => {
    const surrogate = inSurroundingCase(inventory.draw(type, draws), cases[i] ?? 'mixed');
    if (wouldJoin(text, surrogate)) text += ' ';
    const start = text.length;
    text += surrogate;
    const end = text.length;
    const gap = gaps[i + 1] ?? '';
    text += wouldJoin(text, gap) ? ` ${gap}` : gap;
    return { type, start, end };
  });
  return { text, spans };
}

/** A document with its entities replaced, each time by others. Throws as `maskEntities` and `fillEntities`. */
export function replaceEntities(
  document: Document,
  scheme: LabelScheme,
  inventory: Inventory,
  draws: Draws,
): Document {
  return { id: document.id, ...fillEntities(maskEntities(document, scheme), inventory, draws) };
}

/** Two letters or two digits side by side would be of one token. */
function wouldJoin(before: string, after: string): boolean {
  return (
    (/\p{L}\p{M}*$/u.test(before.slice(-8)) && /^\p{L}/u.test(after)) ||
    (/\p{Nd}$/u.test(before.slice(-2)) && /^\p{Nd}/u.test(after))
  );
}
