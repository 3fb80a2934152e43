import { Candidates, findCandidates } from '../../models/embeddings/candidates.js';
import type { TrainingConfig } from '../../models/training/configuration/config.js';
import { phiStatistics } from '../../models/training/data/phi-statistics.js';
import { phiWords } from '../../models/training/recipes.js';
import type { EpochRecord } from '../../models/training/run/metrics-file.js';
import type { Facts, Phase } from '../runs/measurements.js';
import type { Subject, Work } from '../runs/subject.js';

/** Kinds that never replace a word. */
const UNMOVED = new Set(['raw']);
const NO_MOVES = new Candidates(1, new Map(), new Map());

/** What the run had to work with and what it took. */
export async function facts({ run, notes, embeddingsName }: Subject, work: Work): Promise<Facts> {
  const { train, validation, documents } = notes;
  const moves = !UNMOVED.has(run.kind);
  const candidates = moves ? await candidatesOf(notes, run.config, work) : NO_MOVES;
  const { tokens, phiTokens, immovableBy } = phiStatistics(train, candidates);
  return {
    embeddings: embeddingsName,
    documents,
    sentences: { train: train.length, validation: validation.length },
    phases: phasesOf(run.epochs),
    tokens,
    phiTokens,
    immovable: moves ? immovableBy : null,
  };
}

/** The epochs of each stage, their time and their rate, in the order that the stages began. */
function phasesOf(epochs: readonly EpochRecord[]): Phase[] {
  const stages = [...new Set(epochs.map(({ stage }) => stage))];
  return stages.map((stage) => {
    const own = epochs.filter((each) => each.stage === stage);
    const seconds = own.reduce((sum, each) => sum + each.seconds, 0);
    const tokens = own.reduce((sum, each) => sum + each.tokens, 0);
    return { stage, epochs: own.length, seconds, tokensPerSecond: tokens / seconds };
  });
}

function candidatesOf(
  { vocabulary, train }: Subject['notes'],
  { neighbours, digitMoves }: TrainingConfig,
  { signal, progress }: Work,
) {
  return findCandidates(vocabulary, phiWords(train), neighbours, { digitMoves, signal, progress });
}
