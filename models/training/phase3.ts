/**
 * P3 of three-phase training, in turn, one epoch each:
 *
 *   (a) representation frozen: the de-identifier on l_deid, the adversary on l_adv
 *   (b) both frozen: the representation on l_deid + λ |l_adv − log 2|
 *
 * That is the paper's P3, and the default. Beside it stands what may keep the game steady where N is
 * large: several adversaries, fresh ones from time to time, more of (a), time to catch up with what (b)
 * did before it is judged, another distance than |·|, a λ that rises, a slower representation, a
 * stopping rule that looks at the adversary's accuracy.
 */
import type { Adversary } from '../networks/adversary.js';
import type { Deidentifier } from '../networks/deidentifier.js';
import { ramp } from '../tensor/gradient-reversal.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { type AdversarialBatch, pairLoss, releaseWithPairs } from './adversarial-batch.js';
import { adversaryEpoch } from './adversary-stage.js';
import { type Batch, type StratifiedBatch, tokensOf } from './batch.js';
import { deidentifierLoss } from './deidentifier-loss.js';
import { type Distance, distanceFromChance, heldOutDistance } from './distance-from-chance.js';
import type { TextExample } from './examples.js';
import { heldOut } from './held-out.js';
import { Learner } from './learner.js';
import { Opponent } from './opponent.js';
import { type PairSource, pairedBatches } from './pairs.js';
import type { Stage } from './stage.js';
import type { Step } from './step.js';
import type { ThreePhaseConfig } from './three-phase-config.js';
import type { ThreePhaseData, ThreePhaseNetworks } from './three-phase-data.js';
import type { Verdicts } from './verdicts.js';

/** γ of the rise of λ (Ganin and Lempitsky 2015, section 4). */
const RAMP_GAMMA = 10;

/** The networks of P3; `others` are the adversaries beside the one that is kept. */
export interface Phase3Networks extends ThreePhaseNetworks {
  readonly others?: readonly Adversary[];
}

export function phase3(
  { representation, deidentifier, adversary, others = [] }: Phase3Networks,
  { train, validation, vocabulary, labels }: ThreePhaseData,
  pairs: { readonly train: PairSource; readonly validation: PairSource },
  { batchSentences, lambda, learner, collapsedStddev, P3 }: ThreePhaseConfig,
): Stage {
  const opponents = [adversary, ...others].map(
    (each, i) => new Opponent(i === 0 ? 'adversary' : `adversary-${i + 1}`, each, learner),
  );
  const learningRate = learner.learningRate * P3.representationRate;
  const learners = {
    representation: new Learner([representation.parameters], { ...learner, learningRate }),
    deidentifier: new Learner([deidentifier.parameters], learner),
  };
  const unseen = {
    ...{ examples: validation, vocabulary, batchSentences },
    source: pairs.validation,
  };
  let verdicts: readonly Verdicts[] = [];

  const draw = ({ batch, wanted }: StratifiedBatch<TextExample>, random: Random) =>
    releaseWithPairs(representation, vocabulary, batch, wanted, pairs.train, random);

  /** (a) One draw of the frozen representation serves all learners. */
  const stepA = (stratum: StratifiedBatch<TextExample>, random: Random) =>
    tf.tidy(() => {
      const drawn = draw(stratum, random);
      const l_deid = learners.deidentifier.step(() =>
        deidentifierLoss(deidentifier, drawn.releases, stratum.batch, random),
      );
      const l_adv = opponents.map((opponent) =>
        opponent.learner.step(() => pairLoss(opponent.adversary, drawn)),
      );
      return { l_deid, l_adv: mean(l_adv) };
    });

  const alone = (opponent: Opponent, random: Random) =>
    adversaryEpoch(opponent, representation, vocabulary, pairs.train, batchSentences, random);

  return {
    name: 'P3',
    guessing: Math.log(labels),
    maxEpochs: P3.maxEpochs,
    patience: P3.patience,
    networks: {
      representation: representation.parameters,
      deidentifier: deidentifier.parameters,
      ...Object.fromEntries(opponents.map((each) => [each.name, each.adversary.parameters])),
    },
    optimisers: {
      ...learners,
      ...Object.fromEntries(opponents.map((each) => [each.name, each.learner])),
    },
    tokensPerEpoch:
      (P3.adversaryEpochs + 1) * tokensOf(train) +
      P3.catchUpEpochs * opponents.length * tokensOf(pairs.train.positions.keys()),
    *batches(random, epoch) {
      for (let pass = 0; pass < P3.adversaryEpochs; pass++) {
        for (const stratum of pairedBatches(train, pairs.train, batchSentences, random)) {
          yield { tokens: stratum.batch.tokens, run: () => stepA(stratum, random) };
        }
      }
      const terms = { lambda: lambda * risen(epoch, P3.rampEpochs), distance: P3.distance };
      const frozen = { deidentifier, adversaries: opponents.map(({ adversary }) => adversary) };
      for (const stratum of pairedBatches(train, pairs.train, batchSentences, random)) {
        const { batch } = stratum;
        const loss = () => representationLoss(draw(stratum, random), batch, frozen, terms, random);
        const run = () => ({ l_rep: learners.representation.step(loss) });
        yield { tokens: batch.tokens, run };
      }
      for (let pass = 0; pass < P3.catchUpEpochs; pass++) {
        for (const opponent of opponents) yield* alone(opponent, random);
      }
    },
    validate(random) {
      const adversaries = opponents.map((opponent) => opponent.adversary);
      const found = heldOut({ representation, deidentifier, adversaries }, unseen, random);
      verdicts = found.verdicts;
      const { l_deid } = found;
      const distance = mean(verdicts.map((each) => heldOutDistance(P3.distance, each)));
      const advantage = Math.max(...verdicts.map(({ accuracy }) => Math.abs(2 * accuracy - 1)));
      return {
        l_deid,
        l_adv: mean(verdicts.map(({ loss }) => loss)),
        accuracy: Math.max(...verdicts.map(({ accuracy }) => accuracy)),
        stddev: Math.min(...verdicts.map(({ stddev }) => stddev)),
        monitor: l_deid + lambda * distance + P3.accuracyWeight * advantage,
      };
    },
    counts: ({ stddev }) => !(stddev < collapsedStddev),
    remedy(random, epoch) {
      const turn = P3.refreshEvery > 0 && epoch % P3.refreshEvery === 0;
      const next = turn ? (epoch / P3.refreshEvery - 1) % opponents.length : -1;
      const collapsed = (i: number) => verdicts[i].stddev < collapsedStddev;
      const restarted = opponents.filter((_, i) => i === next || collapsed(i));
      if (restarted.length === 0) return null;
      const notes = restarted.map((opponent) => {
        const reason = collapsed(opponents.indexOf(opponent))
          ? 'its output was constant'
          : 'its turn had come';
        return `${opponent.name} restarted: ${reason}`;
      });
      const warm = (opponent: Opponent) => {
        const own = random.fork(opponent.name);
        opponent.restart(own.fork('weights'));
        const epochs = Array.from({ length: P3.warmupEpochs }, (_, i) => own.fork(`epoch-${i}`));
        return epochs.map((each) => alone(opponent, each));
      };
      return { note: notes.join('; '), apply: () => chained(restarted.flatMap(warm)) };
    },
  };
}

/** What the representation learns in (b), through the frozen networks that read what it releases. */
export function representationLoss(
  drawn: AdversarialBatch,
  batch: Batch<TextExample>,
  frozen: { readonly deidentifier: Deidentifier; readonly adversaries: readonly Adversary[] },
  { lambda, distance }: { readonly lambda: number; readonly distance: Distance },
  dropout: Random,
): tf.Scalar {
  const l_deid = deidentifierLoss(frozen.deidentifier, drawn.releases, batch, dropout);
  const distances = frozen.adversaries.map((each) => distanceFromChance(distance, each, drawn));
  return l_deid.add<tf.Scalar>(meanOfScalars(distances).mul(lambda));
}

/** The share of λ that is in force in an epoch. */
function risen(epoch: number, rampEpochs: number): number {
  return epoch < rampEpochs ? ramp(epoch / rampEpochs, RAMP_GAMMA) : 1;
}

function* chained(parts: readonly Iterable<Step>[]): Iterable<Step> {
  for (const part of parts) yield* part;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function meanOfScalars(scalars: readonly tf.Scalar[]): tf.Scalar {
  const [first, ...others] = scalars;
  return others.reduce((sum, each) => sum.add<tf.Scalar>(each), first).div(scalars.length);
}
