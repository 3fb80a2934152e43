/**
 * Domain-adversarial training with gradient reversal (Ganin and Lempitsky 2015), the baseline of
 * Friedrich et al. 2019, section 5.4: representation, de-identifier and adversary together, from
 * fresh weights, on
 *
 *   l_deid(de-identifier(r)) + l_adv(adversary(reversed r))
 *
 * The reversal turns the gradient of l_adv over, times λ, where it enters the representation: the
 * adversary learns to tell pairs apart, the representation to keep it from that. λ rises from 0 (there it
 * is constant: `rampEpochs` 0), so that the adversary is not misled before it knows anything.
 */
import { ramp, reverseGradient } from '../tensor/gradient-reversal.js';
import type * as tf from '../tensor/tf.js';
import { type AdversarialBatch, pairLoss, releaseWithPairs } from './adversarial-batch.js';
import { adversaryEpochs } from './adversary-stage.js';
import type { DannConfig } from './configuration/dann-config.js';
import { tokensOf } from './data/batch.js';
import { pairedBatches, pairSources } from './data/pairs.js';
import { examplesOfEpoch } from './data/turns.js';
import { releasedLoss } from './deidentifier-loss.js';
import { heldOut } from './held-out.js';
import { Opponent } from './opponent.js';
import { Learner } from './run/learner.js';
import { runStage } from './run/run-stage.js';
import type { Stage, StageResult } from './run/stage.js';
import type { StageContext } from './run/stage-context.js';
import { createNetworks } from './three-phase.js';
import type { ThreePhaseData, ThreePhaseNetworks } from './three-phase-data.js';

export interface DannResult extends ThreePhaseNetworks {
  readonly stages: { readonly dann: StageResult };
}

export async function trainDann(
  data: ThreePhaseData,
  config: DannConfig,
  context: StageContext,
): Promise<DannResult> {
  const networks = createNetworks(data, config, context.random.fork('initialise'));
  const dann = await runStage(dannStage(networks, data, config), context);
  return { ...networks, stages: { dann } };
}

export function dannStage(
  all: ThreePhaseNetworks,
  data: ThreePhaseData,
  { batchSentences, learner: learnerOptions, collapsedStddev, dann }: DannConfig,
): Stage {
  const { train, validation, vocabulary, candidates } = data;
  const { lambda, gamma, delayEpochs, rampEpochs, warmupEpochs, maxEpochs, patience } = dann;
  /** The first epoch that ends with all of λ. */
  const resisted = delayEpochs + Math.max(1, rampEpochs);
  const { representation, deidentifier, adversary } = all;
  const networks = {
    representation: representation.parameters,
    deidentifier: deidentifier.parameters,
    adversary: adversary.parameters,
  };
  const learner = new Learner(Object.values(networks), learnerOptions);
  /** The adversary alone, once it has started again; what is judged is an average over the steps of all three. */
  const opponent = new Opponent(adversary, { ...learnerOptions, averaging: 0 });
  const pairs = pairSources({ train, validation, candidates });
  const adversaryData = { representation, vocabulary, source: pairs.train, batchSentences };
  const unseen = { examples: validation, vocabulary, batchSentences, source: pairs.validation };
  return {
    name: 'dann',
    guessing: deidentifier.guessing,
    maxEpochs,
    patience,
    networks,
    optimisers: { learner, adversary: opponent.learner },
    tokensPerEpoch: tokensOf(examplesOfEpoch(data, 1)),
    counts: ({ stddev }, epoch) => epoch >= resisted && !(stddev < collapsedStddev),
    *batches(random, epoch) {
      const batches = [
        ...pairedBatches(examplesOfEpoch(data, epoch), pairs.train, batchSentences, random),
      ];
      for (const [step, { batch, wanted }] of batches.entries()) {
        const epochs = epoch - 1 - delayEpochs + step / batches.length;
        const progress = Math.min(1, Math.max(0, epochs / rampEpochs));
        const reversal = lambda * (rampEpochs === 0 && epochs >= 0 ? 1 : ramp(progress, gamma));
        const draw = () =>
          releaseWithPairs(representation, vocabulary, batch, wanted, pairs.train, random);
        const loss = (drawn: AdversarialBatch) =>
          releasedLoss(deidentifier, drawn.releases, batch, vocabulary, random);
        const run = () => dannStep(adversary, learner, draw, loss, reversal);
        yield { tokens: batch.tokens, run };
      }
    },
    validate(random) {
      const { l_deid, answers } = heldOut(all, unseen, random);
      const { loss: l_adv, accuracy, stddev } = answers;
      const monitor = l_deid + lambda * Math.abs(l_adv - Math.LN2);
      return { l_deid, l_adv, accuracy, stddev, monitor };
    },
    remedy: (random, _, metrics) =>
      opponent.remedy(metrics, collapsedStddev, () => {
        opponent.restart(random.fork('weights'));
        // One count of steps corrects the moments of all three, so that none can forget its own alone.
        learner.restart();
        return adversaryEpochs(warmupEpochs, opponent, adversaryData, random);
      }),
  };
}

/** One step of all three networks; `draw` releases the batch. */
function dannStep(
  adversary: ThreePhaseNetworks['adversary'],
  learner: Learner,
  draw: () => AdversarialBatch,
  deidentifierLoss: (drawn: AdversarialBatch) => tf.Scalar,
  lambda: number,
) {
  let l_adv = Number.NaN;
  const l_dann = learner.step(() => {
    const drawn = draw();
    const l_deid = deidentifierLoss(drawn);
    const judged = pairLoss(adversary, reversePairs(drawn, lambda));
    l_adv = judged.dataSync<'float32'>()[0];
    return l_deid.add(judged);
  });
  return { l_deid: l_dann - l_adv, l_adv, lambda };
}

/** The pairs as the adversary gets them. */
function reversePairs({ pairs, ...rest }: AdversarialBatch, lambda: number): AdversarialBatch {
  const first = reverseGradient(pairs.first, lambda);
  const second = reverseGradient(pairs.second, lambda);
  return { ...rest, pairs: { ...pairs, first, second } };
}
