/**
 * Whether the adversary of Friedrich et al. 2019 (section 5.3) can do what its verdict rests on: it learns both of its
 * tasks on random data and on raw word vectors there, in preliminary experiments. And it must stay at chance where what
 * is released is noise alone.
 */
import { conduct } from '../../models/attacks/attack.js';
import { pureNoise, rawEmbeddings } from '../../models/attacks/baseline-views.js';
import { twinDistances } from '../../models/attacks/distances.js';
import { freshTrainingAdversary } from '../../models/attacks/learned/continued-adversary.js';
import type { LearningLimits } from '../../models/attacks/learned/learning-limits.js';
import { pairTrials } from '../../models/attacks/likelihood/pair-trials.js';
import { randomWords } from '../../models/attacks/random-words.js';
import type { AuditTarget } from '../../models/attacks/target.js';
import { Representation } from '../../models/networks/representation.js';
import { REPRESENTATION_DEFAULTS } from '../../models/networks/representation-config.js';
import type { View } from '../../models/networks/view.js';
import type { Random } from '../../models/tensor/random.js';
import { pairSource } from '../../models/training/data/pairs.js';
import { TacetError } from '../../proto/errors.js';
import type { Measured } from '../runs/deidentifier-scores.js';
import { asMeasured } from '../runs/measured.js';
import type { Work } from '../runs/subject.js';

/** What is released in place of a representation. */
const CONTROL_DATA = ['random words', 'word vectors', 'noise alone'] as const;
export type ControlData = (typeof CONTROL_DATA)[number];
const TASKS = ['T1', 'T2'] as const;

export interface AdversaryControl {
  readonly data: ControlData;
  readonly task: (typeof TASKS)[number];
  readonly pairs: number;
  /** Right answers about held-out pairs. */
  readonly accuracy: Measured;
  readonly epochs: number;
}

export interface AdversaryControlOptions {
  /** LSTM units a direction. */
  readonly units: number;
  readonly limits: LearningLimits;
}

/**
 * A fresh adversary for each data and task. `target` without its representation: notes and what may move. Throws
 * `corpus-invalid` where it could learn from no pair, or be judged by none.
 */
export async function* adversaryControls(
  target: Omit<AuditTarget, 'representation'>,
  { units, limits }: AdversaryControlOptions,
  random: Random,
  work: Work,
): AsyncGenerator<AdversaryControl> {
  requirePairs(target);
  const { dimension } = target.vocabulary;
  const config = { ...REPRESENTATION_DEFAULTS, casing: false, embeddingDimension: dimension };
  const representation = Representation.create(config, random.fork('unused'));
  const views: Readonly<Record<ControlData, View>> = {
    'random words': randomWords(dimension, random.fork('random words').integer(2 ** 31)),
    'word vectors': rawEmbeddings(representation),
    'noise alone': pureNoise(representation),
  };
  try {
    for (const data of CONTROL_DATA) {
      for (const task of TASKS) {
        const seen: AuditTarget = { ...target, representation: views[data] };
        const draws = random.fork(`${data} ${task}`);
        const trials = pairTrials(seen, seen.test, 1, draws.fork('trials'));
        const twins = trials.map(({ example, twin }) => ({ ids: example.ids, twin }));
        const distances = await twinDistances(seen, twins, 1, draws.fork('distances'), work);
        const context = { trials, distances, comparisons: 1, random: draws, ...work };
        const attack = freshTrainingAdversary({ task, units, limits });
        const [report] = await conduct(attack, seen, context);
        const { success, settings } = report;
        const accuracy = asMeasured(success);
        yield { data, task, pairs: trials.length, accuracy, epochs: Number(settings.epochs) };
      }
    }
  } finally {
    representation.dispose();
  }
}

function requirePairs(target: Pick<AuditTarget, 'train' | 'validation' | 'test' | 'candidates'>) {
  const parts = { training: target.train, validation: target.validation, 'held-out': target.test };
  for (const [name, part] of Object.entries(parts)) {
    if (pairSource(part, target.candidates).positions.size > 0) continue;
    throw new TacetError(
      'corpus-invalid',
      `no sentence of the ${name} notes has PHI that can move, so that no pair can be told apart; give notes with PHI, ` +
        'or leave adversaries out (--only)',
    );
  }
}
