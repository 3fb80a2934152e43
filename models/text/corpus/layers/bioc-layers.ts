import { TacetError } from '../../../../proto/errors.js';
import { type PlacedBiocDocument, placedBiocDocument } from '../bioc-document.js';
import { documentOf, type JsonDocument, type JsonPassage } from '../bioc-json.js';
import { type Fields, fieldsIn, isName, type Removals } from './closed-structure.js';
import type { LayeredDocument, LayerTreatment } from './layered-file.js';
import type { TextChange } from './text-change.js';

/** A passage, or a sentence that holds the text of one, and where it stands. */
interface Holder {
  readonly unit: JsonPassage;
  /** Its place among all units, which a change of their texts leaves. */
  readonly index: number;
  readonly start: number;
}

/** A holder's text after a change, and what the offsets of its unit begin with. */
interface HolderAfter {
  readonly start: number;
  readonly text: string;
  readonly offset: number;
}

/** A document of a BioC collection, as its JSON form has it, with all its layers. */
export class BiocLayers implements LayeredDocument {
  readonly text: string;
  value: Fields;
  readonly #placed: PlacedBiocDocument;
  readonly #holders: readonly Holder[];

  constructor(
    private readonly document: JsonDocument,
    private readonly origin: string,
    private readonly treatment: LayerTreatment,
    private readonly removals: Removals,
  ) {
    this.#placed = placedBiocDocument(documentOf(document, '', origin));
    this.text = this.#placed.text;
    this.value = document as unknown as Fields;
    const holding = new Set(
      document.passages.flatMap((passage) =>
        passage.text ? [passage] : (passage.sentences ?? []).filter(({ text }) => text),
      ),
    );
    this.#holders = unitsOf(document.passages)
      .map((unit, index) => ({ unit, index }))
      .filter(({ unit }) => holding.has(unit))
      .map((each, at) => ({ ...each, start: this.#placed.starts[at] as number }));
  }

  change(change: TextChange): void {
    const moved = this.treatment === 'annotate' ? this.document : this.#moved(change);
    this.value = this.#withFound(moved as unknown as Fields, change);
  }

  /**
   * The document with the found entities beside the annotations of the passages in which they begin. One that goes on
   * in others has a location in each, where the text stays; what stands for it is all in the first.
   */
  #withFound(document: Fields, change: TextChange): Fields {
    const { offsetsIn } = this.#placed;
    const taken = new Set(fieldsIn(this.document.passages).flatMap(idsWithin));
    let next = 0;
    const fresh = (): string => {
      for (;;) if (!taken.has(`tacet-${++next}`)) return `tacet-${next}`;
    };
    const passagesAfter = document.passages as JsonPassage[];
    const units = unitsOf(passagesAfter);
    const places = this.#holders.map(({ index, start }) => ({
      ...{ unit: units[index] as JsonPassage, from: this.#startAfter(start, change) },
    }));
    const found = new Map<JsonPassage, Fields[]>();
    for (const span of change.spans) {
      const parts = places.flatMap(({ unit, from }) => {
        const text = unit.text as string;
        const begin = Math.max(0, span.start - from);
        const end = Math.min(span.end - from, text.length);
        if (begin >= end) return [];
        const offset = (unit.offset ?? 0) + offsetsIn(text.slice(0, begin)).count;
        const part = text.slice(begin, end);
        return [{ unit, text: part, location: { offset, length: offsetsIn(part).count } }];
      });
      const unit = parts[0]?.unit;
      if (!unit) continue;
      const annotation = {
        id: fresh(),
        infons: { type: span.type },
        text: parts.map(({ text }) => text).join(' '),
        locations: parts.map(({ location }) => location),
      };
      found.set(unit, [...(found.get(unit) ?? []), annotation]);
    }
    const withOwn = (unit: JsonPassage): JsonPassage => {
      const own = found.get(unit);
      const sentences = unit.sentences?.map(withOwn);
      const annotations = own && [...(unit.annotations ?? []), ...own];
      return {
        ...unit,
        ...(sentences && { sentences }),
        ...(annotations && { annotations }),
      } as JsonPassage;
    };
    return { ...document, passages: passagesAfter.map(withOwn) };
  }

  /** Where a unit's text begins in the changed one: behind what stands for an entity that began before it. */
  #startAfter(start: number, change: TextChange): number {
    return this.treatment === 'annotate' ? start : change.slice(0, start).length;
  }

  /** The document in the changed text: what is known of BioC, and none of the strings beside types of annotations. */
  #moved(change: TextChange): JsonDocument {
    const { offsetsIn, starts } = this.#placed;
    let holder = 0;
    let growth = 0;
    const move = (unit: JsonPassage): JsonPassage => {
      const fields = unit as unknown as Fields;
      const offset = (unit.offset ?? 0) + growth;
      if (!unit.text)
        return this.#unit(
          fields,
          { offset, ...(unit.text === undefined ? {} : { text: '' }) },
          change,
        );
      const start = starts[holder++] as number;
      const text = change.slice(start, start + unit.text.length);
      growth += offsetsIn(text).count - offsetsIn(unit.text).count;
      return this.#unit(fields, { offset, text }, change);
    };
    const passages = this.document.passages.map((passage) => {
      const { sentences = [] } = passage;
      if (passage.text && sentences.some(({ text }) => text))
        throw new TacetError(
          'corpus-invalid',
          `${this.origin}: a passage and its sentences hold the text twice; expected it in one of them`,
        );
      const own = move(passage);
      if (passage.sentences === undefined) return own;
      return { ...own, sentences: sentences.map(move) };
    });
    const { id } = this.document;
    const kept = this.#unit(
      this.document as unknown as Fields,
      { ...(id === undefined ? {} : { id }), passages },
      change,
    );
    return kept as unknown as JsonDocument;
  }

  #unit(fields: Fields, known: Fields, change: TextChange): JsonPassage {
    const kept: Record<string, unknown> = { ...known };
    if (fields.infons !== undefined) kept.infons = this.#infons(fields);
    if (Array.isArray(fields.annotations))
      kept.annotations = fieldsIn(fields.annotations)
        .map((each) => this.#annotation(each, change))
        // A label that is no name is taken out, and nothing is read without one.
        .filter(({ infons }) => Object.keys(infons as Fields).length > 0);
    if (Array.isArray(fields.relations))
      kept.relations = fieldsIn(fields.relations).map((each) => this.#relation(each));
    const sentences = Array.isArray(fields.sentences) ? { sentences: [] } : {};
    this.removals.keep(fields, { ...sentences, ...kept });
    return kept as unknown as JsonPassage;
  }

  #infons({ infons }: Fields): Fields {
    const own = (infons ?? {}) as Fields;
    return this.removals.keep(own, this.removals.names(own, ['type']));
  }

  /** The infon that a label is read from, as `typeOfInfons` has it. */
  #label({ infons }: Fields): Fields {
    const own = (infons ?? {}) as Fields;
    const [only = 'type', another] = Object.keys(own);
    const key = own.type === undefined && another === undefined && isName(only) ? only : 'type';
    return this.removals.keep(own, this.removals.names(own, [key]));
  }

  /** Ids and types stay, places move, and the text is that of the changed document. */
  #annotation(annotation: Fields, change: TextChange): Fields {
    const parts = fieldsIn(annotation.locations).map((location) => this.#located(location, change));
    const text = parts.map((part) => part.text).join(' ');
    return this.removals.keep(annotation, {
      ...this.removals.plain(annotation, ['id']),
      ...this.removals.names(annotation, ['id']),
      infons: this.#label(annotation),
      ...(annotation.text === undefined ? {} : { text }),
      locations: parts.map((part) => part.location),
    });
  }

  /** What lies in an entity that began in an earlier unit is where that is, of which its own has nothing left. */
  #located(location: Fields, change: TextChange) {
    const { offsetsIn } = this.#placed;
    const [offset, length] = [Number(location.offset), Number(location.length)];
    let growth = 0;
    let earlier: HolderAfter | undefined;
    for (const { unit, start } of this.#holders) {
      const before = unit.text as string;
      const text = change.slice(start, start + before.length);
      const after = { start, text, offset: (unit.offset ?? 0) + growth };
      const offsets = offsetsIn(before);
      const from = offsets.at(offset - (unit.offset ?? 0));
      const to = offsets.at(offset - (unit.offset ?? 0) + length);
      if (from === undefined || to === undefined) {
        growth += offsetsIn(text).count - offsets.count;
        if (text !== '') earlier = after;
        continue;
      }
      const begin = change.moved(start + from, 'start');
      const end = change.moved(start + to, 'end');
      const isGone = from < to && end <= this.#startAfter(start, change);
      return this.#within(isGone && earlier ? earlier : after, begin, end, change);
    }
    throw new TacetError('internal', `${this.origin}: an annotation was read that has no place`);
  }

  /** As much of `[from, to)` of the changed text as stands in a unit. */
  #within({ start, text, offset }: HolderAfter, from: number, to: number, change: TextChange) {
    const { offsetsIn } = this.#placed;
    const base = this.#startAfter(start, change);
    const begin = Math.max(0, from - base);
    const own = text.slice(begin, Math.max(begin, to - base));
    const at = offset + offsetsIn(text.slice(0, begin)).count;
    return { text: own, location: { offset: at, length: offsetsIn(own).count } };
  }

  #relation(relation: Fields): Fields {
    const nodes = fieldsIn(relation.nodes).map((node) =>
      this.removals.keep(node, this.removals.names(node, ['refid', 'role'])),
    );
    return this.removals.keep(relation, {
      ...this.removals.plain(relation, ['id']),
      ...this.removals.names(relation, ['id']),
      infons: this.#infons(relation),
      nodes,
    });
  }
}

/** Passages, each before its sentences, whether they hold a text or not. */
function unitsOf(passages: readonly JsonPassage[]): JsonPassage[] {
  return passages.flatMap((passage) => [passage, ...(passage.sentences ?? [])]);
}

function idsWithin(unit: Fields): unknown[] {
  return [
    ...fieldsIn(unit.annotations).map(({ id }) => id),
    ...fieldsIn(unit.sentences).flatMap(idsWithin),
  ];
}
