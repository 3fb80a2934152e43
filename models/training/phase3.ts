/**
 * P3 of three-phase training (Friedrich et al. 2019, section 5.4), in turn, one epoch each:
 *
 *   (a) representation frozen: the de-identifier on l_deid, the adversary on l_adv
 *   (b) both frozen: the representation on l_deid + λ |l_adv − log 2|
 *
 * That is their P3, (b) by equation 2, and the default. What may keep the game steady where N is large stands in
 * `Phase3Config`.
 */
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { type AdversarialBatch, pairLoss, releaseWithPairs } from './adversarial-batch.js';
import { adversaryEpoch, adversaryEpochs } from './adversary-stage.js';
import type { Distance, ThreePhaseConfig } from './configuration/three-phase-config.js';
import { type Batch, type StratifiedBatch, tokensOf } from './data/batch.js';
import type { TextExample } from './data/examples.js';
import { type PairSource, pairedBatches } from './data/pairs.js';
import { examplesOfEpoch } from './data/turns.js';
import { releasedLoss } from './deidentifier-loss.js';
import { distanceFromChance, heldOutDistance } from './distance-from-chance.js';
import { heldOut } from './held-out.js';
import { Opponent } from './opponent.js';
import { Learner } from './run/learner.js';
import type { Stage } from './run/stage.js';
import type { Step } from './run/step.js';
import type { ThreePhaseData, ThreePhaseNetworks } from './three-phase-data.js';

/** What plays, what it learns from, and the optimisers that move it. */
interface Game {
  readonly networks: ThreePhaseNetworks;
  readonly data: ThreePhaseData;
  readonly pairs: { readonly train: PairSource; readonly validation: PairSource };
  readonly config: ThreePhaseConfig;
  readonly representation: Learner;
  readonly deidentifier: Learner;
  readonly opponent: Opponent;
}

export function phase3(
  networks: ThreePhaseNetworks,
  data: ThreePhaseData,
  pairs: Game['pairs'],
  config: ThreePhaseConfig,
): Stage {
  const { P3, learner, collapsedStddev } = config;
  const { representation, deidentifier, adversary } = networks;
  const learningRate = learner.learningRate * P3.representationRate;
  const game: Game = {
    ...{ networks, data, pairs, config },
    representation: new Learner([representation.parameters], { ...learner, learningRate }),
    deidentifier: new Learner([deidentifier.parameters], learner),
    opponent: new Opponent(adversary, learner),
  };
  return {
    name: 'P3',
    guessing: deidentifier.guessing,
    maxEpochs: P3.maxEpochs,
    patience: P3.patience,
    networks: {
      representation: representation.parameters,
      deidentifier: deidentifier.parameters,
      adversary: adversary.parameters,
    },
    optimisers: {
      representation: game.representation,
      deidentifier: game.deidentifier,
      adversary: game.opponent.learner,
    },
    tokensPerEpoch:
      (P3.adversaryEpochs + 1) * tokensOf(examplesOfEpoch(data, 1)) +
      P3.catchUpEpochs * tokensOf(pairs.train.positions.keys()),
    *batches(random, epoch) {
      for (let i = 0; i < P3.adversaryEpochs; i++) yield* readersEpoch(game, random, epoch);
      yield* representationEpoch(game, random, epoch);
      for (let i = 0; i < P3.catchUpEpochs; i++)
        yield* adversaryEpoch(game.opponent, adversaryData(game), random);
    },
    validate: (random) => validate(game, random),
    counts: ({ stddev }) => !(stddev < collapsedStddev),
    remedy: (random, _, validation) =>
      game.opponent.remedy(validation, collapsedStddev, () => {
        const own = random.fork('adversary');
        game.opponent.restart(own.fork('weights'));
        return adversaryEpochs(P3.warmupEpochs, game.opponent, adversaryData(game), own);
      }),
  };
}

/** (a) One draw of the frozen representation serves both who read it. */
function* readersEpoch(game: Game, random: Random, epoch: number): Iterable<Step> {
  const { networks, deidentifier, opponent } = game;
  for (const stratum of strata(game, random, epoch)) {
    const { batch } = stratum;
    const run = () =>
      tf.tidy(() => {
        const drawn = draw(game, stratum, random);
        const l_deid = deidentifier.step(() =>
          releasedLoss(networks.deidentifier, drawn.releases, batch, game.data.vocabulary, random),
        );
        const l_adv = opponent.learner.step(() => pairLoss(networks.adversary, drawn));
        return { l_deid, l_adv };
      });
    yield { tokens: batch.tokens, run };
  }
}

/** (b) */
function* representationEpoch(game: Game, random: Random, epoch: number): Iterable<Step> {
  const { lambda, P3 } = game.config;
  const terms = { lambda, distance: P3.distance, vocabulary: game.data.vocabulary };
  for (const stratum of strata(game, random, epoch)) {
    const { batch } = stratum;
    const loss = () =>
      representationLoss(draw(game, stratum, random), batch, game.networks, terms, random);
    const run = () => ({ l_rep: game.representation.step(loss) });
    yield { tokens: batch.tokens, run };
  }
}

interface RepresentationTerms {
  readonly lambda: number;
  readonly distance: Distance;
  readonly vocabulary: ThreePhaseData['vocabulary'];
}

/** What the representation learns in (b), through the frozen networks that read what it releases. */
export function representationLoss(
  drawn: AdversarialBatch,
  batch: Batch<TextExample>,
  { deidentifier, adversary }: Pick<ThreePhaseNetworks, 'deidentifier' | 'adversary'>,
  { lambda, distance, vocabulary }: RepresentationTerms,
  dropout: Random,
): tf.Scalar {
  const l_deid = releasedLoss(deidentifier, drawn.releases, batch, vocabulary, dropout);
  return l_deid.add<tf.Scalar>(distanceFromChance(distance, adversary, drawn).mul(lambda));
}

/** The loss of (b) on notes that nothing learns from. */
function validate({ networks, data, pairs, config }: Game, random: Random) {
  const { vocabulary, validation: examples } = data;
  const { batchSentences, lambda, P3 } = config;
  const unseen = { examples, vocabulary, batchSentences, source: pairs.validation };
  const { l_deid, answers } = heldOut(networks, unseen, random);
  const { loss: l_adv, accuracy, stddev } = answers;
  const distance = heldOutDistance(P3.distance, answers);
  return { l_deid, l_adv, accuracy, stddev, monitor: l_deid + lambda * distance };
}

function strata({ data, pairs, config }: Game, random: Random, epoch: number) {
  return pairedBatches(examplesOfEpoch(data, epoch), pairs.train, config.batchSentences, random);
}

function draw(
  { networks: { representation }, data: { vocabulary }, pairs }: Game,
  { batch, wanted }: StratifiedBatch<TextExample>,
  random: Random,
): AdversarialBatch {
  return releaseWithPairs(representation, vocabulary, batch, wanted, pairs.train, random);
}

function adversaryData({ networks: { representation }, data, pairs, config }: Game) {
  const { vocabulary } = data;
  const { batchSentences } = config;
  return { representation, vocabulary, source: pairs.train, batchSentences };
}
