import type { TextExample } from './examples.js';

/** Copies of the notes to learn from, of which each epoch has some, in turn. */
export interface Turns<E = TextExample> {
  readonly originals: readonly E[];
  readonly copies: readonly (readonly E[])[];
  /** How many copies an epoch has. */
  readonly perEpoch: number;
}

interface LearnedNotes<E> {
  /** All of them, copies included. */
  readonly train: readonly E[];
  readonly turns?: Turns<E> | undefined;
}

/** What epoch 1, 2, ... learns from. */
export function examplesOfEpoch<E>({ train, turns }: LearnedNotes<E>, epoch: number): readonly E[] {
  if (!turns) return train;
  const { originals, copies, perEpoch } = turns;
  const first = (epoch - 1) * perEpoch;
  const due = Array.from({ length: perEpoch }, (_, i) => copies[(first + i) % copies.length] ?? []);
  return [...originals, ...due.flat()];
}

/** Turns of what each part of them becomes. */
export function mapTurns<E, F>(
  { originals, copies, perEpoch }: Turns<E>,
  become: (examples: readonly E[]) => readonly F[],
): Turns<F> {
  return { originals: become(originals), copies: copies.map(become), perEpoch };
}

/** Of examples in the order of their documents: so many documents, and then whole copies of them. */
export function turnsOf(
  examples: readonly TextExample[],
  documents: number,
  perEpoch: number,
): Turns {
  const groups: TextExample[][] = [];
  for (const example of examples) {
    const copy = Math.floor(example.documentIndex / documents);
    groups[copy] ??= [];
    groups[copy].push(example);
  }
  const [originals = [], ...copies] = groups;
  return { originals, copies, perEpoch };
}
