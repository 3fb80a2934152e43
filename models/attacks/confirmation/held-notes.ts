import type { Piece } from '../../certification/common-pieces.js';
import type { Origins } from '../../statistics/origins.js';
import type { TextExample } from '../../training/data/examples.js';
import type { AuditTarget } from '../target.js';
import { Cut } from './cut.js';
import { type LabelledWindow, windowOf } from './labelled-window.js';
import { MaskedSentence } from './masked-sentence.js';

/** What an attacker holds of a sentence: all of it, or all but its entities where these were replaced. */
export interface HeldSentence {
  /** Equal where the attacker cannot tell two sentences apart. */
  readonly key: string;
  readonly example: TextExample;
  readonly mask: MaskedSentence;
  /** The pieces that it left as if it was contributed; none where nothing of it left. */
  readonly pieces: readonly Piece[];
}

/** A note that an attacker holds, each of its different sentences once. */
export interface HeldNote {
  /** Differs from those of all held notes that it does not belong together with. */
  readonly documentIndex: number;
  readonly contributed: boolean;
  readonly sentences: readonly HeldSentence[];
}

export interface HeldNotes {
  readonly notes: readonly HeldNote[];
  /** Whether entities are hidden from the attacker. */
  readonly isMasked: boolean;
  /** What there is a release of: of sentences that are equal one. */
  readonly contributed: readonly TextExample[];
  /** Keys of all that was contributed. */
  readonly contributedKeys: ReadonlySet<string>;
  readonly cut: Cut;
  /**
   * Sentences of other notes of the kind, each different one once as in a release, by which the attacker knows
   * how common a sentence is.
   */
  readonly population: readonly TextExample[];
  /** The pieces that these would have been cut into. */
  readonly populationPieces: readonly LabelledWindow[];
}

/**
 * The test notes were contributed. Of the attacker's own notes every second one of those to learn from is its
 * knowledge of the population; the others, and those to stop by, are notes that were not contributed, at
 * most `most` of either kind.
 */
export function heldNotes(target: AuditTarget, most: number): HeldNotes {
  const { train, validation, test, unreleased = [], replaced, origins } = target;
  const isMasked = replaced !== undefined;
  const isPopulation = ({ documentIndex }: TextExample) => documentIndex % 2 === 0;
  const others = train.filter((each) => !isPopulation(each));
  const left = [...test, ...unreleased.filter((each) => leftInPart(each, target))];
  const contributed = differentBy(left, ({ ids }) => `${ids}`);
  const cut = new Cut(target, contributed, isMasked);
  const held = (examples: readonly TextExample[], areContributed: boolean) =>
    notesOf(examples, areContributed, { isMasked, cut });
  const notes = [
    ...held([...test, ...unreleased], true).slice(0, most),
    ...[...held(validation, false), ...held(others, false)].slice(0, most),
  ];
  const population = differentBy(train.filter(isPopulation), (each) => keyOf(each, isMasked));
  const pieces = cut.held(population);
  return {
    notes: notes.map((note, i) => ({ ...note, documentIndex: numberOf(note, i, origins) })),
    isMasked,
    contributed,
    contributedKeys: new Set(left.map((example) => keyOf(example, isMasked))),
    cut,
    population,
    populationPieces: population.flatMap((example, i) =>
      pieces[i].map((piece) => windowOf(example, piece)),
    ),
  };
}

function numberOf(
  { contributed, sentences: [first] }: Omit<HeldNote, 'documentIndex'>,
  at: number,
  origins: Origins | undefined,
): number {
  const own = first?.example.documentIndex ?? at;
  return contributed ? 2 * (origins?.get(own) ?? own) : 2 * at + 1;
}

/** Whether of a sentence that did not leave whole some pieces did. */
function leftInPart(example: TextExample, { pieces, released }: AuditTarget): boolean {
  const own = pieces?.get(example) ?? [];
  return own.length > 0 && (released === undefined || released.has(example));
}

function notesOf(
  examples: readonly TextExample[],
  contributed: boolean,
  { isMasked, cut }: Pick<HeldNotes, 'isMasked' | 'cut'>,
): Omit<HeldNote, 'documentIndex'>[] {
  const pieces = cut.held(examples);
  const notes = new Map<number, Map<string, HeldSentence>>();
  for (const [i, example] of examples.entries()) {
    const own = notes.get(example.documentIndex) ?? new Map<string, HeldSentence>();
    const key = keyOf(example, isMasked);
    const mask = new MaskedSentence(example);
    if (!own.has(key)) own.set(key, { key, example, mask, pieces: pieces[i] });
    notes.set(example.documentIndex, own);
  }
  return [...notes.values()].map((own) => ({ contributed, sentences: [...own.values()] }));
}

function keyOf(example: TextExample, isMasked: boolean): string {
  return isMasked ? new MaskedSentence(example).key : `${example.ids}/${example.labels}`;
}

/** The first of those that are alike. */
function differentBy(
  examples: readonly TextExample[],
  keyOf: (example: TextExample) => string,
): TextExample[] {
  const different = new Map<string, TextExample>();
  for (const example of examples) {
    const key = keyOf(example);
    if (!different.has(key)) different.set(key, example);
  }
  return [...different.values()];
}

/** What labels tell who holds a sentence; of entities that were replaced not the number of tokens. */
export function labelKeyOf(labels: Uint8Array, { isMasked }: Pick<HeldNotes, 'isMasked'>): string {
  return isMasked
    ? new MaskedSentence({ ids: new Int32Array(labels.length), labels }).labelKey
    : `${labels}`;
}
