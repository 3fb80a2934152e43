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
  /** The sentences of contributed notes that there is a release of: each different one once. */
  readonly contributed: readonly TextExample[];
  /** Other notes of the kind, by which the attacker knows how common a sentence is. */
  readonly population: readonly TextExample[];
}

/**
 * The test notes were contributed. Of the attacker's own notes every second one of those to learn from is its
 * knowledge of the population; the others, and those to stop by, are notes that were not contributed, at
 * most `most` of either kind.
 */
export function heldNotes(target: AuditTarget, most: number): HeldNotes {
  const { train, validation, test, replaced } = target;
  const isPopulation = ({ documentIndex }: TextExample) => documentIndex % 2 === 0;
  const isMasked = replaced !== undefined;
  const sides = [
    notesOf(test, true, isMasked).slice(0, most),
    [
      ...notesOf(validation, false, isMasked),
      ...notesOf(
        train.filter((each) => !isPopulation(each)),
        false,
        isMasked,
      ),
    ].slice(0, most),
  ];
  const notes = sides.flat().map((note, documentIndex) => ({ ...note, documentIndex }));
  return {
    notes,
    isMasked,
    contributed: distinct(test),
    population: train.filter(isPopulation),
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
    const mask = new MaskedSentence(example);
    const key = isMasked ? mask.key : `${example.ids}/${example.labels}`;
    if (!own.has(key)) own.set(key, { key, example, mask });
    notes.set(example.documentIndex, own);
  }
  return [...notes.values()].map((own) => ({ contributed, sentences: [...own.values()] }));
}

/** An encoder releases equal sentences once. */
function distinct(examples: readonly TextExample[]): TextExample[] {
  return [...new Map(examples.map((example) => [`${example.ids}`, example])).values()];
}

/** What labels tell who holds a sentence; of entities that were replaced not the number of tokens. */
export function labelKeyOf(labels: Uint8Array, { isMasked }: Pick<HeldNotes, 'isMasked'>): string {
  return isMasked
    ? new MaskedSentence({ ids: new Int32Array(labels.length), labels }).labelKey
    : `${labels}`;
}
