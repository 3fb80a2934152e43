import { findCandidates, IMMOVABLE, type Immovable } from '../embeddings/candidates.js';
import { isPhi } from '../training/move.js';
import { phiWords } from '../training/recipes.js';
import type { EpochRecord } from '../training/run-directory.js';
import type { Facts, Phase } from './measurements.js';
import type { Subject, Work } from './subject.js';

/** Kinds that never replace a word. */
const UNMOVED = new Set(['raw']);

/** What the run had to work with and what it took. */
export async function facts({ run, notes }: Subject, work: Work): Promise<Facts> {
  const { train, validation, documents } = notes;
  let tokens = 0;
  let phiTokens = 0;
  for (const example of train) {
    tokens += example.ids.length;
    for (let position = 0; position < example.ids.length; position++)
      if (isPhi(example, position)) phiTokens += 1;
  }
  return {
    documents,
    sentences: { train: train.length, validation: validation.length },
    phases: phasesOf(run.epochs),
    tokens,
    phiTokens,
    immovable: UNMOVED.has(run.kind) ? null : await immovable(notes, run.config.neighbours, work),
  };
}

/** The epochs of each stage, their time and their rate, in the order that the stages began. */
export function phasesOf(epochs: readonly EpochRecord[]): Phase[] {
  const stages = [...new Set(epochs.map(({ stage }) => stage))];
  return stages.map((stage) => {
    const own = epochs.filter((each) => each.stage === stage);
    const seconds = own.reduce((sum, each) => sum + each.seconds, 0);
    const tokens = own.reduce((sum, each) => sum + each.tokens, 0);
    return { stage, epochs: own.length, seconds, tokensPerSecond: tokens / seconds };
  });
}

async function immovable(
  { vocabulary, train }: Subject['notes'],
  neighbours: number,
  { signal, progress }: Work,
): Promise<Record<Immovable, number>> {
  const words = phiWords(train);
  const candidates = await findCandidates(vocabulary, words, neighbours, { signal, progress });
  const counts = Object.fromEntries(IMMOVABLE.map((reason) => [reason, 0])) as Record<
    Immovable,
    number
  >;
  for (const example of train) {
    for (const [position, id] of example.ids.entries()) {
      const reason = isPhi(example, position) ? candidates.reason(id) : undefined;
      if (reason) counts[reason] += 1;
    }
  }
  return counts;
}
