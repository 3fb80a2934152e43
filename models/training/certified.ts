/**
 * The certified objective: representation and de-identifier together on
 *
 *   l_deid + λ E[2Φ(Δ/2) − 1]
 *
 * over the pairs (x, x') of each batch, with Δ(n) = ‖(f(x+n) − f(x'+n)) / σ_out‖₂. The second term
 * is the greatest advantage that any adversary can have on those pairs, so there is no adversary to
 * train and none too weak to fool. Far from the goal it is flat: the first epochs use
 * E[log(1 + Δ²)] instead, and `tail` keeps some of that beside it, so that pairs that are wide open
 * go on being closed. Where the noise depends on the input, a looser limit stands in its place
 * (unequal-noise.ts).
 *
 * `lowerCase` makes pairs whose moved word is written in lower case count more: words that are PHI here and
 * text elsewhere ("madre", "lawyer"), which l_deid and l_general hold open longest.
 *
 * Where f learns something general besides (general-config.ts), μ l_general is added.
 */
import { greatestAdvantages, squaredDistances } from '../certification/squared-distances.js';
import { advantageLimits, negativeLogAffinity } from '../certification/unequal-noise.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { Deidentifier } from '../networks/deidentifier.js';
import type { Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { CASINGS } from '../text/casing.js';
import type { CertifiedConfig } from './configuration/certified-config.js';
import { paddedIds, type StratifiedBatch, tokensOf } from './data/batch.js';
import type { TextExample } from './data/examples.js';
import { drawTwins, type PairSource, pairedBatches, pairSources } from './data/pairs.js';
import { examplesOfEpoch } from './data/turns.js';
import { releasedLoss } from './deidentifier-loss.js';
import { generalTraining } from './general-training.js';
import { Learner } from './run/learner.js';
import { runStage } from './run/run-stage.js';
import type { Stage, StageResult } from './run/stage.js';
import type { StageContext } from './run/stage-context.js';
import type { ThreePhaseData } from './three-phase-data.js';

const ALL_LOWER = CASINGS.indexOf('all lower');

/** The two networks that the certified objective trains together. */
export interface CertifiedNetworks {
  readonly representation: Representation;
  readonly deidentifier: Deidentifier;
}

/** Trains given networks on: fresh ones, or those of a phase of three-phase training. */
export async function trainCertified(
  networks: CertifiedNetworks,
  data: ThreePhaseData,
  config: CertifiedConfig,
  context: StageContext,
): Promise<StageResult> {
  return runStage(certifiedStage(networks, data, config), context);
}

function certifiedStage(
  { representation, deidentifier }: CertifiedNetworks,
  data: ThreePhaseData,
  config: CertifiedConfig,
): Stage {
  const { batchSentences, learner: learnerOptions, certified } = config;
  const general = generalTraining(representation, data, config);
  const networks = {
    representation: representation.parameters,
    deidentifier: deidentifier.parameters,
    ...general.networks,
  };
  const learner = new Learner(Object.values(networks), learnerOptions);
  const pairs = pairSources(data);
  const isDependent = representation.config.noise === 'dependent';
  const advantages = isDependent ? advantageLimits : greatestAdvantages;
  const prices = (apart: tf.Tensor1D) =>
    certified.tail === 0
      ? advantages(apart)
      : advantages(apart).add<tf.Tensor1D>(tf.log1p(apart).mul(certified.tail));
  const terms = { data, lowerCase: certified.lowerCase };
  const draw = (stratum: Stratum, source: PairSource, random: Random, dropout?: Random) =>
    drawTerms({ representation, deidentifier }, terms, stratum, source, random, dropout);
  return {
    name: 'certified',
    guessing: deidentifier.guessing,
    ...certified,
    networks,
    optimisers: { learner },
    tokensPerEpoch: tokensOf(examplesOfEpoch(data, 1)),
    *batches(random, epoch) {
      const penalties = epoch <= certified.warmupEpochs ? tf.log1p : prices;
      const step = general.steps(learner, random);
      for (const stratum of pairedBatches(
        examplesOfEpoch(data, epoch),
        pairs.train,
        batchSentences,
        random,
      )) {
        const own = () => {
          const { l_deid, apart, counts, releases } = draw(stratum, pairs.train, random, random);
          const penalty = tf.mean(penalties(apart).mul<tf.Tensor1D>(counts));
          return { loss: l_deid.add<tf.Scalar>(penalty.mul(certified.lambda)), releases };
        };
        const run = () => step('l_certified', stratum.batch, own);
        yield { tokens: stratum.batch.tokens, run };
      }
    },
    validate(random) {
      const source = pairs.validation;
      const strata = pairedBatches(data.validation, source, batchSentences, random);
      const { l_deid, advantage, price } = validationMeans(strata, (stratum) => {
        const { l_deid, apart, counts } = draw(stratum, source, random);
        return { l_deid, advantages: advantages(apart), prices: prices(apart).mul(counts) };
      });
      const monitor = l_deid + certified.lambda * price;
      return { l_deid, advantage, ...general.validate(random), monitor };
    },
  };
}

/** The mean of l_deid over tokens, and those of advantages and prices [P] over pairs. */
function validationMeans(
  strata: Iterable<Stratum>,
  measure: (stratum: Stratum) => {
    readonly l_deid: tf.Scalar;
    readonly advantages: tf.Tensor;
    readonly prices: tf.Tensor;
  },
): { l_deid: number; advantage: number; price: number } {
  const sums = { l_deid: 0, advantage: 0, price: 0, tokens: 0, pairs: 0 };
  for (const stratum of strata) {
    const { batch, wanted } = stratum;
    tf.tidy(() => {
      const { l_deid, advantages, prices } = measure(stratum);
      sums.l_deid += batch.tokens * l_deid.dataSync<'float32'>()[0];
      sums.advantage += advantages.sum().dataSync<'float32'>()[0];
      sums.price += prices.sum().dataSync<'float32'>()[0];
    });
    sums.tokens += batch.tokens;
    sums.pairs += wanted;
  }
  return {
    l_deid: sums.l_deid / sums.tokens,
    advantage: sums.advantage / sums.pairs,
    price: sums.price / sums.pairs,
  };
}

type Stratum = StratifiedBatch<TextExample>;

interface Terms {
  readonly data: ThreePhaseData;
  readonly lowerCase: number;
}

/** One release of a batch [B, T, d], its l_deid, how far the batch's pairs are apart and what each counts, [P]. */
function drawTerms(
  { representation, deidentifier }: CertifiedNetworks,
  { data: { vocabulary }, lowerCase }: Terms,
  { batch, wanted }: Stratum,
  source: PairSource,
  random: Random,
  dropout?: Random,
) {
  const { examples, steps, lengths } = batch;
  const ids = paddedIds(
    examples.map((example) => example.ids),
    steps,
  );
  const x = representation.embed(vocabulary, ids, steps); // [B, T, I]
  const releases = representation.forward(x, lengths, random); // [B, T, d]
  const l_deid = releasedLoss(deidentifier, releases, batch, vocabulary, dropout);
  const sentences = examples.slice(0, wanted);
  const twins = drawTwins(sentences, source, random);
  const apart = pairDivergences(representation, vocabulary, batch, twins, random);
  const counts = twins.map(({ position }, i) =>
    vocabulary.casing(sentences[i]?.ids[position] ?? -1) === ALL_LOWER ? lowerCase : 1,
  );
  return { l_deid, apart, counts: tf.tensor1d(counts), releases };
}

/**
 * How far apart the releases of the first sentences of a batch and of their moved twins are, [P]: Δ(n)², or
 * −log BC² where the noise depends on the input.
 */
function pairDivergences(
  representation: Representation,
  vocabulary: Vocabulary,
  { examples, steps, lengths }: Stratum['batch'],
  twins: readonly Pick<TextExample, 'ids'>[],
  random: Random,
): tf.Tensor1D {
  const embed = (sentences: readonly Pick<TextExample, 'ids'>[]) =>
    representation.embed(
      vocabulary,
      paddedIds(
        sentences.map(({ ids }) => ids),
        steps,
      ),
      steps,
    );
  const divergence =
    representation.config.noise === 'dependent' ? negativeLogAffinity : squaredDistances;
  return divergence(
    representation,
    embed(examples.slice(0, twins.length)),
    embed(twins),
    lengths.slice(0, twins.length),
    random,
  );
}
