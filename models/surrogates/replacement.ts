import type { Document, Span } from '../text/document.js';
import { type LabelScheme, mapType, requireKnownSpans } from '../text/label-scheme.js';
import type { Draws } from './draws.js';
import type { Inventory } from './inventory.js';
import { inSurroundingCase, surroundingCases } from './surrounding-case.js';

/** A document cut at the entities that are to be replaced: `gaps` has one text more than there are `types`. */
export interface MaskedDocument {
  /** What stands before, between and after them. */
  readonly gaps: readonly string[];
  /** Of each entity, its type in the label scheme. */
  readonly types: readonly string[];
  /** Where the sentences begin that its file states, save within an entity: the gap, and the offset in it. */
  readonly sentences?: readonly (readonly [gap: number, offset: number])[] | undefined;
  /** Entities of types that are kept, in order: they stand in the gaps as they are. */
  readonly kept: readonly KeptEntity[];
}

interface KeptEntity extends Span {
  /** Where it stands: `start` and `end` are offsets in it. */
  readonly gap: number;
}

const NO_TYPES: ReadonlySet<string> = new Set();

/**
 * What is left of a document once its entities are taken out, but for those of the `keptTypes` of the scheme;
 * labels that the scheme calls no PHI are text like any other. Throws `label-unknown`.
 */
export function maskEntities(
  document: Omit<Document, 'id'>,
  scheme: LabelScheme,
  keptTypes: ReadonlySet<string> = NO_TYPES,
): MaskedDocument {
  requireKnownSpans(document, scheme);
  const { text, spans, sentences } = document;
  const gaps: string[] = [];
  const types: string[] = [];
  const bounds: Bounds[] = [];
  const kept: KeptEntity[] = [];
  let from = 0;
  for (const { type, start, end } of spans) {
    const mapped = mapType(type, scheme);
    if (mapped === null) continue;
    if (keptTypes.has(mapped)) {
      kept.push({ type: mapped, gap: types.length, start: start - from, end: end - from });
      continue;
    }
    gaps.push(text.slice(from, start));
    bounds.push({ from, to: start });
    types.push(mapped);
    from = end;
  }
  bounds.push({ from, to: text.length });
  const placed = sentences && { sentences: placesIn(bounds, sentences) };
  return { gaps: [...gaps, text.slice(from)], types, kept, ...placed };
}

interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** One that begins with an entity begins at the end of the gap before it. */
function placesIn(gaps: readonly Bounds[], starts: readonly number[]): [number, number][] {
  let gap = 0;
  return starts.flatMap((start): [number, number][] => {
    while (gap < gaps.length - 1 && start > (gaps[gap] as Bounds).to) gap++;
    const { from } = gaps[gap] as Bounds;
    return start < from ? [] : [[gap, start - from]];
  });
}

/**
 * A document with a surrogate in the place of each entity, drawn by type and by chance alone, in capitals or
 * without any where the text around is written so: the
 * result is a function of the masked document and of `draws`, so that it is the same whatever the
 * entities were (docs/theory.md, Replacement). Throws `inventory-missing`.
 */
export function fillEntities(
  masked: MaskedDocument,
  inventory: Inventory,
  draws: Draws,
): Omit<Document, 'id'> {
  return fillGaps(masked, inventory, draws).document;
}

export interface FilledDocument {
  readonly document: Omit<Document, 'id'>;
  /** Of each gap, where its text begins. */
  readonly gapStarts: readonly number[];
}

/** As `fillEntities`, and where the gaps stand then. */
export function fillGaps(
  { gaps, types, sentences, kept }: MaskedDocument,
  inventory: Inventory,
  draws: Draws,
): FilledDocument {
  let text = gaps[0] ?? '';
  const cases = surroundingCases(gaps);
  const gapStarts = [0];
  const replaced: Span[] = types.map((type, i) => {
    const surrogate = inSurroundingCase(inventory.draw(type, draws), cases[i] ?? 'mixed');
    if (wouldJoin(text, surrogate)) text += ' ';
    const start = text.length;
    text += surrogate;
    const end = text.length;
    const gap = gaps[i + 1] ?? '';
    if (wouldJoin(text, gap)) text += ' ';
    gapStarts.push(text.length);
    text += gap;
    return { type, start, end };
  });
  const starts = sentences?.map(([gap, offset]) => (gapStarts[gap] as number) + offset);
  const still = kept.map(({ type, gap, start, end }): Span => {
    const from = gapStarts[gap] as number;
    return { type, start: from + start, end: from + end };
  });
  const spans = [...replaced, ...still].sort((a, b) => a.start - b.start);
  return { document: { text, spans, ...(starts && { sentences: starts }) }, gapStarts };
}

/**
 * A document with its entities replaced, each time by others, but for those of `keptTypes`. Throws as
 * `maskEntities` and `fillEntities`.
 */
export function replaceEntities(
  document: Document,
  scheme: LabelScheme,
  inventory: Inventory,
  draws: Draws,
  keptTypes?: ReadonlySet<string>,
): Document {
  const masked = maskEntities(document, scheme, keptTypes);
  return { id: document.id, ...fillEntities(masked, inventory, draws) };
}

/** Two letters or two digits side by side would be of one token. */
function wouldJoin(before: string, after: string): boolean {
  if (isApart(before.charCodeAt(before.length - 1)) || isApart(after.charCodeAt(0))) return false;
  return (
    (/\p{L}\p{M}*$/u.test(before.slice(-8)) && /^\p{L}/u.test(after)) ||
    (/\p{Nd}$/u.test(before.slice(-2)) && /^\p{Nd}/u.test(after))
  );
}

/** Of most characters that are neither letter nor digit: white space and punctuation of ASCII. */
function isApart(unit: number): boolean {
  return unit < 0x30 || (unit > 0x39 && unit < 0x41);
}
