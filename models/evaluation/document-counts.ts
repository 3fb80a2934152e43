import { TacetError } from '../../proto/errors.js';
import { withoutByteOrderMark } from '../text/byte-order-mark.js';
import type { Document } from '../text/document.js';
import type { Token } from '../text/token.js';
import { type Agreement, agreementOf } from './agreement.js';
import { freeTextOf, type TextRange } from './free-text.js';
import type { HipaaView } from './hipaa-view.js';
import { i2b2Tokens, type LabelledItem, phiTokens } from './labelled-item.js';
import { leakageOf } from './leakage.js';
import { type Matching, matchExactly, matchRelaxed } from './matching.js';
import { matchMerged } from './merged-spans.js';
import type { Counts } from './score.js';

export interface DocumentPair {
  readonly gold: Document;
  readonly system: Document;
}

/**
 * What is compared: tokens of `tokenise`, tokens of the i2b2 2014 evaluation, or whole spans, with
 * equal offsets or with the tolerance of `matchRelaxed`.
 */
export const LEVELS = ['token', 'i2b2Token', 'strict', 'relaxed'] as const;
export type Level = (typeof LEVELS)[number];

export const REGIONS = ['header', 'freeText', 'signature'] as const;
export type Region = (typeof REGIONS)[number];

/** The two levels that are also counted by region; an item belongs where it starts. */
const REGION_LEVELS = ['token', 'strict'] as const;

export const WHOLE = 'all';
export const HIPAA = 'hipaa';

/** Column names; a type is the last part, since types may hold anything but a slash. */
export const column = (...parts: readonly string[]) => parts.join('/');

/** The counts of one document, which errors tell by its number, by column. */
export function documentCounts(
  { gold, system }: DocumentPair,
  tokens: readonly Token[],
  hipaa: HipaaView,
  number: number,
): Map<string, Counts> {
  requireEqualTexts(gold, system, number);
  const counts = new Map<string, Counts>();
  const ranges = regionsOf(gold.text);
  for (const level of LEVELS) {
    const match = level === 'relaxed' ? matchRelaxed : matchExactly;
    const wanted = itemsOf(level, gold, tokens);
    const found = itemsOf(level, system, tokens);
    const agreed = agreementOf(wanted, found, match);
    setAgreement(counts, column(level, WHOLE), agreed);
    for (const [type, ofType] of agreed.perType) counts.set(column(level, 'type', type), ofType);
    setAgreement(counts, column(level, HIPAA), compare(wanted, found, match, hipaa.counts));
    if (!isRegionLevel(level)) continue;
    for (const region of REGIONS) {
      const { start, end } = ranges[region];
      const within = (item: LabelledItem) => item.start >= start && item.start < end;
      setAgreement(counts, column(level, region), compare(wanted, found, match, within));
    }
  }
  counts.set('merged', matchMerged(gold, system));
  setLeak(counts, WHOLE, leakageOf(gold, system.spans));
  for (const region of REGIONS)
    setLeak(counts, region, leakageOf(gold, system.spans, ranges[region]));
  return counts;
}

function itemsOf(level: Level, document: Document, tokens: readonly Token[]): LabelledItem[] {
  if (level === 'token') return phiTokens(tokens, document.spans);
  if (level === 'i2b2Token') return i2b2Tokens(document);
  return [...document.spans];
}

function compare(
  gold: readonly LabelledItem[],
  system: readonly LabelledItem[],
  match: Matching,
  keep: (item: LabelledItem) => boolean,
): Agreement {
  return agreementOf(gold.filter(keep), system.filter(keep), match);
}

function setAgreement(counts: Map<string, Counts>, prefix: string, agreement: Agreement): void {
  counts.set(column(prefix, 'binary'), agreement.binary);
  counts.set(column(prefix, 'micro'), agreement.micro);
}

/** Characters, and the document itself: a false negative where a character has leaked. */
function setLeak(counts: Map<string, Counts>, region: string, characters: Counts): void {
  const { tp, fn } = characters;
  counts.set(column('characters', region), characters);
  counts.set(column('documents', region), {
    tp: tp > 0 && fn === 0 ? 1 : 0,
    fp: 0,
    fn: fn > 0 ? 1 : 0,
  });
}

const isRegionLevel = (level: Level): level is (typeof REGION_LEVELS)[number] =>
  (REGION_LEVELS as readonly Level[]).includes(level);

function regionsOf(text: string): Record<Region, TextRange> {
  const freeText = freeTextOf(text);
  return {
    header: { start: 0, end: freeText.start },
    freeText,
    signature: { start: freeText.end, end: text.length },
  };
}

/** The id may be the name of a patient. */
function requireEqualTexts(gold: Document, system: Document, number: number): void {
  if (gold.text === system.text) return;
  const isMark = withoutByteOrderMark(gold.text) === withoutByteOrderMark(system.text);
  const where = isMark
    ? 'in the byte order mark at its start, which offsets count'
    : `from character ${firstDifference(gold.text, system.text)} on`;
  throw new TacetError(
    'corpus-invalid',
    `gold document ${number}: the system's text differs from the gold text ${where}; expected the same text`,
  );
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
