import { movablePositions, moveOneToken } from '../../certification/move.js';
import type { Candidates } from '../../embeddings/candidates.js';
import type { Random } from '../../tensor/random.js';
import { type StratifiedBatch, stratifiedBatches } from './batch.js';
import type { TextExample } from './examples.js';

/** Sentences with at least one movable PHI token: the only ones that make pairs. */
export interface PairSource {
  readonly candidates: Candidates;
  readonly positions: ReadonlyMap<TextExample, readonly number[]>;
}

export function pairSource(examples: readonly TextExample[], candidates: Candidates): PairSource {
  const positions = new Map<TextExample, readonly number[]>();
  for (const example of examples) {
    const movable = movablePositions(example, candidates);
    if (movable.length > 0) positions.set(example, movable);
  }
  return { candidates, positions };
}

interface PairNotes {
  readonly train: readonly TextExample[];
  readonly validation: readonly TextExample[];
  readonly candidates: Candidates;
}

/** Those of the notes to learn from and of the notes to validate on. */
export function pairSources({ train, validation, candidates }: PairNotes) {
  return {
    train: pairSource(train, candidates),
    validation: pairSource(validation, candidates),
  };
}

/** All sentences in batches that each have some which can make pairs, those first. */
export function pairedBatches(
  examples: readonly TextExample[],
  source: PairSource,
  size: number,
  random: Random,
): Generator<StratifiedBatch<TextExample>> {
  return stratifiedBatches(examples, (each) => source.positions.has(each), size, random);
}

/** The second elements of a batch of pairs. */
export interface SecondElements {
  /** [P][T]: the sentence itself where real, its moved twin where fake. */
  readonly ids: Int32Array[];
  /** [P] 1 = real. */
  readonly real: Float32Array;
}

/** Draws pairs afresh, half of them real (the odd one out is real or fake by chance). */
export function drawPairs(
  examples: readonly TextExample[],
  source: PairSource,
  random: Random,
): SecondElements {
  const offset = random.integer(2);
  const turns = examples.map((_, i) => (i + offset) % 2);
  random.shuffle(turns);
  const ids = examples.map((example, i) => {
    if (turns[i] === 1) return example.ids;
    return moveOneToken(example, positionsOf(example, source), source.candidates, random).ids;
  });
  return { ids, real: Float32Array.from(turns) };
}

/** x' for each sentence x, and which token moved. */
export function drawTwins(examples: readonly TextExample[], source: PairSource, random: Random) {
  return examples.map((example) =>
    moveOneToken(example, positionsOf(example, source), source.candidates, random),
  );
}

function positionsOf(example: TextExample, source: PairSource): readonly number[] {
  return source.positions.get(example) ?? [];
}
