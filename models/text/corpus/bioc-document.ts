import { TacetError } from '../../../proto/errors.js';
import { type Offsets, offsetsOf, UTF_16 } from './offset-counting.js';
import type { RawDocument, RawSpan } from './raw-document.js';
import type { RemarkCounts } from './remarks.js';

/** Offsets count from the start of the document. */
export interface BiocLocation {
  readonly offset: number;
  readonly length: number;
}

export interface BiocAnnotation {
  /** Its infon `type`, or its only infon. */
  readonly type: string | undefined;
  readonly text: string | undefined;
  readonly locations: readonly BiocLocation[];
  /** Where the file has it. */
  readonly place: string;
}

/** A passage, or a sentence of one whose sentences hold its text. */
export interface BiocPassage {
  readonly offset: number;
  readonly text: string;
  readonly place: string;
  readonly isSentence?: boolean | undefined;
}

/** A document of a BioC collection (Comeau et al. 2013), read from XML or JSON. */
export interface BiocDocument {
  readonly id: string;
  readonly passages: readonly BiocPassage[];
  readonly annotations: readonly BiocAnnotation[];
  readonly relations: number;
  /** It states no annotations, not even that there are none, which a document in XML cannot. */
  readonly isPlain?: boolean | undefined;
  readonly origin: string;
}

/** The label among the infons of an annotation. */
export function typeOfInfons(infons: Readonly<Record<string, unknown>>): string | undefined {
  const values = Object.values(infons);
  const label = infons.type ?? (values.length === 1 ? values[0] : undefined);
  return typeof label === 'string' ? label : undefined;
}

/**
 * How tools count: the paper says bytes of UTF-8, Python's tools count code points, Java's UTF-16 units. What
 * most files hold comes first.
 */
const COUNTINGS: readonly ((text: string) => Offsets)[] = [
  (text) => offsetsOf(text, { ...UTF_16, codePoints: true }),
  (text) => offsetsOf(text, UTF_16),
  byteOffsets,
];

/**
 * The document with its passages in one text: a line break stands where they do not touch. Its
 * annotations are placed in their passages, in the first way of counting under which all that they and
 * the passages state agrees. Throws `corpus-invalid` where none does.
 */
export function rawBiocDocument(document: BiocDocument): RawDocument {
  const { id, relations, isPlain, origin } = document;
  const remarks: RemarkCounts = { relations };
  const { text, spans } = placedBiocDocument(document);
  const isInexact = document.passages.some(({ isSentence }) => isSentence === true);
  return { id, text, spans, counting: 'utf-16', isInexact, isPlain, origin, remarks };
}

/** The text of a document, its annotations in it, where its passages stand in it, and how they count. */
export interface PlacedBiocDocument {
  readonly text: string;
  readonly spans: readonly RawSpan[];
  /** UTF-16 offset of each passage. */
  readonly starts: readonly number[];
  readonly offsetsIn: (text: string) => Offsets;
}

/** Throws as `rawBiocDocument`. */
export function placedBiocDocument(document: BiocDocument): PlacedBiocDocument {
  let problem: TacetError | undefined;
  for (const offsetsIn of COUNTINGS) {
    const placed = new PlacedPassages(document, offsetsIn);
    try {
      const spans = document.annotations.flatMap((annotation) => placed.spansOf(annotation));
      return { text: placed.text, spans, starts: placed.starts, offsetsIn };
    } catch (error) {
      if (!(error instanceof TacetError)) throw error;
      problem ??= error;
    }
  }
  throw problem;
}

interface Placed {
  readonly passage: BiocPassage;
  readonly offsets: Offsets;
  /** UTF-16 offset of the passage in the text. */
  readonly start: number;
}

/** The passages of a document in one text, under one way of counting. */
class PlacedPassages {
  readonly text: string;
  readonly #placed: readonly Placed[];

  constructor(
    private readonly document: BiocDocument,
    offsetsIn: (text: string) => Offsets,
  ) {
    const placed: Placed[] = [];
    let text = '';
    for (const passage of document.passages) {
      const before = placed.at(-1);
      const touches =
        before !== undefined &&
        passage.offset <= before.passage.offset + before.offsets.count &&
        passage.offset >= before.passage.offset;
      if (before !== undefined && !touches) text += '\n';
      placed.push({ passage, offsets: offsetsIn(passage.text), start: text.length });
      text += passage.text;
    }
    this.text = text;
    this.#placed = placed;
  }

  get starts(): number[] {
    return this.#placed.map(({ start }) => start);
  }

  /** The spans of an annotation, one a location; the further ones continue the first. */
  spansOf({ type, text, locations, place }: BiocAnnotation): RawSpan[] {
    if (type === undefined)
      throw this.#invalid(place, 'has no infon "type"; expected one with its label');
    if (locations.length === 0) throw this.#invalid(place, 'has no location; expected one');
    const stated = locations.length === 1 && text !== undefined ? { text } : {};
    return locations.map((location, index) => {
      const span = this.#spanAt(location, stated.text, place);
      return { type, ...span, ...stated, place, continues: index > 0 };
    });
  }

  #spanAt({ offset, length }: BiocLocation, text: string | undefined, place: string) {
    for (const { passage, offsets, start } of this.#placed) {
      const from = offsets.at(offset - passage.offset);
      const to = offsets.at(offset - passage.offset + length);
      if (from === undefined || to === undefined) continue;
      if (text !== undefined && passage.text.slice(from, to) !== text) continue;
      return { start: start + from, end: start + to };
    }
    throw this.#invalid(
      place,
      `stands at ${offset} with ${length} characters, where no passage has ` +
        `${text === undefined ? 'that many' : 'the text that it states'}; ` +
        'expected offsets from the start of the document, in characters or bytes',
    );
  }

  #invalid(place: string, problem: string): TacetError {
    return new TacetError(
      'corpus-invalid',
      `${this.document.origin}: ${place}: the annotation ${problem}`,
    );
  }
}

/** Offsets that count the bytes of UTF-8. */
function byteOffsets(text: string): Offsets {
  const starts = new Map<number, number>();
  let count = 0;
  for (let at = 0; at < text.length; ) {
    starts.set(count, at);
    const code = text.codePointAt(at) as number;
    count += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code > 0xffff ? 2 : 1;
  }
  starts.set(count, text.length);
  return { count, at: (offset) => starts.get(offset) };
}
