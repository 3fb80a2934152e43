import type { TextExample } from '../../training/examples.js';
import type { AuditTarget } from '../target.js';
import { MaskedSentence } from './masked-sentence.js';

/** What an attacker holds of a sentence: all of it, or all but its entities where these were replaced. */
export interface HeldSentence {
  /** Equal where the attacker cannot tell two sentences apart. */
  readonly key: string;
  readonly example: TextExample;
  readonly mask: MaskedSentence;
}

/** A note that an attacker holds, each of its different sentences once. */
export interface HeldNote {
  /** Differs from those of all other held notes. */
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
  /**
   * Sentences of other notes of the kind, each different one once as in a release, by which the attacker knows
   * how common a sentence is.
   */
  readonly population: readonly TextExample[];
}

/**
 * The test notes were contributed. Of the attacker's own notes every second one of those to learn from is its
 * knowledge of the population; the others, and those to stop by, are notes that were not contributed, at
 * most `most` of either kind.
 */
export function heldNotes(target: AuditTarget, most: number): HeldNotes {
  const { train, validation, test, unreleased = [], replaced } = target;
  const isMasked = replaced !== undefined;
  const isPopulation = ({ documentIndex }: TextExample) => documentIndex % 2 === 0;
  const others = train.filter((each) => !isPopulation(each));
  const notes = [
    ...notesOf([...test, ...unreleased], true, isMasked).slice(0, most),
    ...[...notesOf(validation, false, isMasked), ...notesOf(others, false, isMasked)].slice(
      0,
      most,
    ),
  ];
  return {
    notes: notes.map((note, documentIndex) => ({ ...note, documentIndex })),
    isMasked,
    contributed: differentBy(test, ({ ids }) => `${ids}`),
    contributedKeys: new Set(test.map((example) => keyOf(example, isMasked))),
    population: differentBy(train.filter(isPopulation), (each) => keyOf(each, isMasked)),
  };
}

function notesOf(
  examples: readonly TextExample[],
  contributed: boolean,
  isMasked: boolean,
): Omit<HeldNote, 'documentIndex'>[] {
  const notes = new Map<number, Map<string, HeldSentence>>();
  for (const example of examples) {
    const own = notes.get(example.documentIndex) ?? new Map<string, HeldSentence>();
    const key = keyOf(example, isMasked);
    const mask = new MaskedSentence(example);
    if (!own.has(key)) own.set(key, { key, example, mask });
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
