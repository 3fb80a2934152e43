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
  return turns ? [...turns.originals, ...copiesOfEpoch(turns, epoch)] : train;
}

function copiesOfEpoch<E>({ copies, perEpoch }: Turns<E>, epoch: number): readonly E[] {
  const first = (epoch - 1) * perEpoch;
  const due = Array.from({ length: perEpoch }, (_, i) => copies[(first + i) % copies.length] ?? []);
  return due.flat();
}

/** Turns that give in each epoch, until the copies of the part with most of them begin anew, what all parts together give. */
export function joinTurns<E>(parts: readonly Turns<E>[]): Turns<E> {
  const epochs = Math.max(
    1,
    ...parts.map(({ copies, perEpoch }) => Math.ceil(copies.length / perEpoch)),
  );
  return {
    originals: parts.flatMap(({ originals }) => originals),
    copies: Array.from({ length: epochs }, (_, i) =>
      parts.flatMap((part) => copiesOfEpoch(part, i + 1)),
    ),
    perEpoch: 1,
  };
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
