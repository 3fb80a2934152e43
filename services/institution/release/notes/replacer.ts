import { type Draws, secretDraws } from '../../../../models/surrogates/draws.js';
import { Inventory, type InventoryFile } from '../../../../models/surrogates/inventory.js';
import {
  type FilledDocument,
  fillEntities,
  fillGaps,
  type MaskedDocument,
  maskEntities,
} from '../../../../models/surrogates/replacement.js';
import type { Document, Span } from '../../../../models/text/document.js';
import type { LabelScheme } from '../../../../models/text/label-scheme.js';
import { suspectsIn } from '../../../../models/text/suspects.js';
import { KeyedHash } from '../ledger/keyed-hash.js';
import { framed } from '../ledger/ledger-key.js';
import { type GapSpan, inCopy, joinPlaces, placesOf } from '../suspects/gap-span.js';
import type { SecondReader } from '../suspects/second-reader.js';

/** What replaces entities, as it crosses from thread to thread. */
export interface Replacement {
  readonly inventory: InventoryFile;
  /** Of the ledger, see `LedgerKey.surrogateSecret`. */
  readonly secret: Uint8Array;
  /** Types of the scheme whose entities are kept; none by default. */
  readonly keptTypes?: readonly string[] | undefined;
  /** How often each document is replaced, each time by other entities; once by default. */
  readonly copies?: number | undefined;
  /** Whether notes that a ledger of version 9 or before released count; they do by default. */
  readonly countsEarlier?: boolean | undefined;
}

/** As the tokeniser parts words by it: formats of columns keep none. */
const WHITE_SPACE = /[\s\u0085]+/gu;

export interface ReplacedDocument {
  readonly document: Document;
  /**
   * Keyed hash of the document with all its entities masked, also those that are kept: another one with the same
   * text around them is the same. Every copy has its own, since its sentences may end elsewhere.
   */
  readonly name: Buffer;
  /**
   * Keyed hash of the text around everything that is labelled, without its white space and with composed letters (NFC): the same whatever the types are called,
   * whichever of them are PHI, and whatever format of file the note stands in.
   */
  readonly text: Buffer;
  /**
   * What ledgers of version 9 and before had for `text`: with white space, and the sentences that the file states. It is `text`
   * where their notes do not count.
   */
  readonly earlierText: Buffer;
  /**
   * Keyed hash of the name and of the document with its surrogates, but for what is kept: where it is another, by another inventory,
   * reader or list of kept types, so may its sentences be. What an entity that is kept was decides nothing.
   */
  readonly drawn: Buffer;
  /** How many entities were replaced. */
  readonly entities: number;
  /** How many were kept. */
  readonly kept: number;
  /** What a second reader found outside the labels: replaced, or still there to be left out or counted. */
  readonly suspects: readonly Span[];
}

/**
 * Puts a surrogate in the place of every labelled entity, but for those of types that are kept. The surrogates of a document follow from the
 * ledger's secret and from the text around its entities, so that a job that was killed, or is read in
 * several portions, draws the same ones again. To whoever does not have the secret they are drawn by
 * chance, and to whoever has it they still tell nothing of what they stand for.
 */
export class Replacer {
  readonly #inventory: Inventory;
  readonly #hash: KeyedHash;
  readonly copies: number;
  readonly #keptTypes: ReadonlySet<string>;
  readonly #countsEarlier: boolean;

  /** Throws `inventory-invalid`. */
  constructor({ inventory, secret, copies = 1, keptTypes, countsEarlier = true }: Replacement) {
    this.#countsEarlier = countsEarlier;
    this.#keptTypes = new Set(keptTypes);
    this.copies = copies;
    this.#inventory = new Inventory(inventory);
    this.#hash = new KeyedHash(secret);
  }

  /**
   * All copies of a document. What a reader finds in one of them is a suspect in each: beside other surrogates it may be
   * missed. Throws `label-unknown` and `inventory-missing`.
   */
  async copiesOf(
    { id, ...document }: Document,
    scheme: LabelScheme,
    reader?: SecondReader,
  ): Promise<ReplacedDocument[]> {
    const hidden = maskEntities(document, scheme);
    const name = this.#hash.of(`document${framesOf(hidden)}`);
    const text = this.#hash.of(`around${framesAround(document)}`);
    const earlierText = this.#countsEarlier ? this.#earlierText(hidden) : text;
    const keepsSome = this.#keptTypes.size > 0;
    const masked = keepsSome ? maskEntities(document, scheme, this.#keptTypes) : hidden;
    const filled = Array.from({ length: this.copies }, (_, copy) => {
      const stream = copy === 0 ? 'draws' : `draws of copy ${copy}`;
      const draws = secretDraws(this.#hash.of(`${stream} ${name.toString('hex')}`));
      return { draws, ...fillGaps(masked, this.#inventory, draws) };
    });
    const places: GapSpan[] = [];
    for (const copy of reader ? filled : []) {
      const suspects = await suspectsIn(copy.document, (reader as SecondReader).find, scheme);
      places.push(...placesOf(suspects, copy));
    }
    const joined = joinPlaces(places);
    return filled.map((copy, number) => {
      const suspects = joined.map((place) => inCopy(place, copy));
      const read = this.#readBy(reader, copy, suspects, scheme);
      const own = this.#ofCopy(number, name);
      const drawn = `drawn ${own.toString('hex')}${framesOf(this.#withoutKept(read, scheme))}`;
      return {
        document: { id, ...read },
        name: own,
        text: this.#ofCopy(number, text),
        earlierText: this.#ofCopy(number, earlierText),
        drawn: this.#hash.of(drawn),
        ...{ entities: masked.types.length, kept: masked.kept.length, suspects },
      };
    });
  }

  #earlierText(hidden: MaskedDocument): Buffer {
    return this.#hash.of(`text${framesOf({ ...hidden, types: hidden.types.map(() => '') })}`);
  }

  /** A document's hash is that of its first copy. */
  #ofCopy(number: number, hash: Buffer): Buffer {
    return number === 0 ? hash : this.#hash.of(`copy ${number} ${hash.toString('hex')}`);
  }

  /** A copy as it leaves once a reader has read it. */
  #readBy(
    reader: SecondReader | undefined,
    { document, draws }: FilledDocument & { readonly draws: Draws },
    suspects: readonly Span[],
    scheme: LabelScheme,
  ): Omit<Document, 'id'> {
    if (reader?.treatment !== 'replace' || suspects.length === 0) return document;
    return fillEntities(this.#withSuspects(document, suspects, scheme), this.#inventory, draws);
  }

  #withSuspects(
    { spans, ...filled }: Omit<Document, 'id'>,
    suspects: readonly Span[],
    scheme: LabelScheme,
  ): MaskedDocument {
    const all = [...spans, ...suspects].sort((a, b) => a.start - b.start);
    return maskEntities({ ...filled, spans: all }, scheme, this.#keptTypes);
  }

  /** With its surrogates, and without the entities that were kept. */
  #withoutKept(read: Omit<Document, 'id'>, scheme: LabelScheme): MaskedDocument {
    const others = scheme.types.filter((type) => !this.#keptTypes.has(type));
    return maskEntities(read, scheme, new Set(others));
  }
}

/** Begins with the number of entities, so that no two masked documents give the same text. */
function framesOf({ gaps, types, sentences = [] }: MaskedDocument): string {
  const starts = sentences.map(([gap, offset]) => `${gap}.${offset}`);
  return `${framed(`${types.length}`)}${[...gaps, ...types, ...starts].map(framed).join('')}`;
}

function around(gap: string): string {
  return gap.replace(WHITE_SPACE, '').normalize('NFC');
}

/** Empty gaps within are left out: a format may part one entity in two. */
function framesAround({ text, spans }: Omit<Document, 'id'>): string {
  const starts = [0, ...spans.map(({ end }) => end)];
  const ends = [...spans.map(({ start }) => start), text.length];
  const gaps = starts.map((start, i) => around(text.slice(start, ends[i])));
  const last = gaps.length - 1;
  const others = gaps.filter((gap, i) => gap !== '' || i === 0 || i === last);
  return others.map(framed).join('');
}
