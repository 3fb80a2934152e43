/**
 * What a training configuration may hold. Every key says what it does and where its default comes
 * from; `tacet train describe` prints them.
 */

import { NATURAL } from '../../../proto/schemas.js';
import { type TProperties, type TSchema, Type } from '../../../proto/typebox.js';
import { closedObject } from '../../../proto/typed-schema.js';
import { DIGIT_MOVES } from '../../embeddings/digit-moves.js';
import { CHARACTER_ENCODERS } from '../../networks/character-config.js';
import { DEIDENTIFIER_NETWORKS } from '../../networks/deidentifier-config.js';
import { NETWORK_MAXIMA } from '../../networks/network-maxima.js';
import { FORMS, NOISES } from '../../networks/representation-config.js';
import { OPTIMISERS } from '../run/learner-options.js';
import { GENERAL_OBJECTIVES } from './general-config.js';
import { PSEUDONYMS_BY } from './pseudonyms-by.js';
import { DISTANCES } from './three-phase-config.js';

/** The kinds of `tacet train`. */
const KINDS = [
  'raw',
  'pseudonymized',
  'augmented',
  'adversarial',
  'dann',
  'certified',
  'pooled',
] as const;
export type Kind = (typeof KINDS)[number];

const PAPER = 'Friedrich et al. 2019';
const TABLE_1 = `${PAPER}, Table 1`;
const CODE = 'the authors’ code';
const PHICON = 'Yue and Zhou 2020 (PHICON)';
const OURS = 'ours';
const PHASES = `${PAPER}, section 5.4`;

interface Described {
  readonly description: string;
  /** Where the default comes from. */
  readonly source: string;
}

const is =
  <S extends TSchema>(type: S) =>
  (description: string, source: string) =>
    Type.Optional(Type.With(type, { description, source } satisfies Described));
const upTo = (maximum: number) => is(Type.Integer({ minimum: 1, maximum }));
const size = upTo(NETWORK_MAXIMA.size);
const hiddenUnits = is(Type.Integer({ minimum: 0, maximum: NETWORK_MAXIMA.size }));
const layers = upTo(NETWORK_MAXIMA.layers);
const heads = upTo(NETWORK_MAXIMA.heads);
const feedForward = upTo(NETWORK_MAXIMA.feedForward);
const batch = upTo(2 ** 14);
const MOST_EPOCHS = 1e6;
const epochs = is(Type.Integer({ minimum: 0, maximum: MOST_EPOCHS }));
const someEpochs = is(Type.Integer({ minimum: 1, maximum: MOST_EPOCHS }));
const positiveInteger = is(Type.Integer({ minimum: 1 }));
const count = is(NATURAL);
const positive = is(Type.Number({ exclusiveMinimum: 0 }));
const weight = is(Type.Number({ minimum: 0 }));
const rate = is(Type.Number({ minimum: 0, exclusiveMaximum: 1 }));
const masked = is(Type.Number({ exclusiveMinimum: 0, maximum: 1 }));
const clusters = is(Type.Integer({ minimum: 2 }));
const share = is(Type.Number({ exclusiveMinimum: 0, maximum: 0.5 }));
const flag = is(Type.Boolean());
const oneOf = <const V extends string>(values: readonly V[]) =>
  is(Type.Unsafe<V>({ enum: values }));

function section<P extends TProperties>(properties: P) {
  return Type.Optional(closedObject(properties));
}

function limits(of: string, source = OURS, patience = source) {
  return {
    maxEpochs: epochs(`Epochs of ${of} at most; 0 leaves it out`, source),
    patience: someEpochs('Epochs without a better validation loss before it ends', patience),
  };
}

function characters(of: string) {
  const sizes = 'Dernoncourt et al. 2017, NeuroNER';
  return {
    characters: oneOf(CHARACTER_ENCODERS)(
      `Characters that ${of}, by a convolution or a BiLSTM (none where left out)`,
      'Ma and Hovy 2016; Lample et al. 2016',
    ),
    characterDimension: size('Numbers a character (25 where left out)', sizes),
    characterUnits: size('LSTM units a direction, or half the filters (25 where left out)', sizes),
  };
}

const BERT = 'Devlin et al. 2019, section 3.1';
const ANJUM = 'Anjum et al. 2021';
const VASWANI = 'Vaswani et al. 2017';
const GANIN = 'Ganin and Lempitsky 2015, section 4';

export const CONFIG_SCHEMA = section({
  kind: oneOf(KINDS)('The kind that the file is for; another one refuses it', OURS),
  seed: count('Seed of weights, order, noise, pairs and the split', OURS),
  neighbours: positiveInteger(
    'N, the neighbours that a moved word is drawn from, itself included',
    `${PAPER}, section 4 and Figure 4: 1 to 1,000`,
  ),
  digitMoves: oneOf(DIGIT_MOVES)(
    'What a number moves among: any other number, whatever N is, or its N neighbours',
    `${CODE}, for pseudonymisation; neighbours: for the adversarial representation`,
  ),
  pseudonymsBy: oneOf(PSEUDONYMS_BY)(
    'Kind pseudonymized: each token moves on its own, or a word moves to one neighbour all over its document',
    `${PAPER}, section 4; document: discussed in section 9`,
  ),
  validationShare: share('Share of the documents (pooled: sentences) that stopping looks at', OURS),
  batchSentences: batch('Sentences a batch', TABLE_1),
  lambda: weight('λ, the weight of the adversary’s term in P3(b)', `${PAPER}, section 5.4`),
  representation: section({
    units: size('LSTM units a direction', CODE),
    dimension: size(
      'd, the length of a released vector',
      `${PAPER}, sections 5.2 and 7.3: 50, 100, 300`,
    ),
    initialInputStddev: positive('σ_in of every dimension before training', OURS),
    initialOutputStddev: positive('σ_out of every dimension before training', OURS),
    casing: flag('Whether f sees the casing of each token', `${OURS}; ${PAPER} sends it in clear`),
    residual: flag(
      'Whether the projection reads the inputs beside the LSTM’s output (false where left out)',
      OURS,
    ),
    ...characters('f reads of each word'),
    form: oneOf(FORMS)(
      'What f and a release are, see representation-config.ts (unit-length where left out); of another form no bundle',
      `${OURS}; ${PAPER}, section 5.2, equation 1; ${CODE}`,
    ),
    unitInputs: flag(
      'Whether word vectors are scaled to unit length first (false where left out); then no bundle',
      `${OURS}; true: ${CODE}`,
    ),
    noise: oneOf(NOISES)(
      'Whether σ_out depends on the LSTM’s output (constant where left out); then no bundle',
      `${PAPER}, section 5.2, equation 1; dependent: its future work`,
    ),
  }),
  outputNoiseFactor: positive(
    'σ_out of the frozen representation in units of the trained one',
    OURS,
  ),
  deidentifier: section({
    network: oneOf(DEIDENTIFIER_NETWORKS)(
      'bilstm-crf, where left out, or sequence-to-sequence (s2s), see sequence-to-sequence.ts',
      `${PAPER}; ${ANJUM}`,
    ),
    units: size('LSTM units a direction; s2s: numbers a token between layers', TABLE_1),
    layers: layers('BiLSTM layers; s2s: of the encoder, and of the decoder', TABLE_1),
    inputDropout: rate('Dropout on the inputs', TABLE_1),
    recurrentDropout: rate(
      'Variational dropout on the recurrence; s2s: dropout on what each sublayer adds',
      TABLE_1,
    ),
    outputDropout: rate('Dropout before the last layer', TABLE_1),
    casing: flag(
      'On text: whether the casing feature is an input (true where left out)',
      `${PAPER}, Table 2`,
    ),
    casingInClear: flag(
      'On representations: whether the casing feature is an input beside them (false where left out); then no pipeline',
      `${OURS}; true: ${PAPER}, section 5.1`,
    ),
    ...characters('it reads of each word, on text'),
    heads: heads('s2s: heads of attention, a divisor of units (4 where left out)', OURS),
    feedForward: feedForward(
      's2s: units between the dense layers of a token (512 where left out)',
      `four times units, as in ${VASWANI}`,
    ),
    reach: size('s2s: distances between tokens that count as they are (16 where left out)', OURS),
    phiWeight: positive('s2s: what a PHI token counts in the loss (1 where left out)', ANJUM),
  }),
  adversary: section({ units: size('LSTM units a direction', CODE) }),
  learner: section({
    optimiser: oneOf(OPTIMISERS)('Nadam, where left out, or Adam', `${PAPER}, Table 1; ${ANJUM}`),
    warmupSteps: count('Steps over which the learning rate rises (0 where left out)', VASWANI),
    learningRate: positive('Learning rate', OURS),
    clipNorm: positive('Greatest global norm of a gradient', TABLE_1),
    averaging: rate(
      'What an average of the weights keeps at a step, which is validated and kept; 0: none',
      OURS,
    ),
  }),
  general: section({
    objective: oneOf(GENERAL_OBJECTIVES)(
      'What f learns besides the labels in P1 and by the certified objective, see general-config.ts',
      OURS,
    ),
    weight: weight('μ, the weight of l_general beside l_deid', OURS),
    units: hiddenUnits('Units of a hidden layer of what reads r for it; 0: none', OURS),
    maskedShare: masked(
      'masked-word: share of the words that can be targets which are hidden',
      BERT,
    ),
    clusters: clusters('clusters: K, how many there are', OURS),
  }),
  P1: section(limits('P1, representation and de-identifier')),
  P2: section(limits('P2, the adversary alone')),
  P3: section({
    ...limits('P3, each of (a) and (b)'),
    distance: oneOf(DISTANCES)('What (b) makes small, see distance-from-chance.ts', PHASES),
    adversaryEpochs: someEpochs('Epochs of (a) for each of (b)', PHASES),
    catchUpEpochs: epochs('Epochs of the adversary alone after (b), before it is judged', PHASES),
    representationRate: positive(
      'Learning rate of (b) in units of learner.learningRate',
      `${OURS}; the paper states none`,
    ),
    warmupEpochs: epochs('Epochs alone of an adversary with fresh weights', OURS),
  }),
  collapsedStddev: weight(
    'Spread of the adversary’s validation outputs below which it starts again; 0: never',
    OURS,
  ),
  dann: section({
    ...limits('gradient reversal'),
    lambda: weight('λ of the reversal once it has risen', GANIN),
    gamma: positive('γ of the rise, 2 / (1 + exp(−γp)) − 1', GANIN),
    delayEpochs: epochs('Epochs before λ begins to rise', GANIN),
    rampEpochs: epochs(
      'Epochs that λ rises for, the best looked for after them; 0: it is constant',
      OURS,
    ),
    warmupEpochs: epochs('Epochs alone of an adversary with fresh weights', OURS),
  }),
  certified: section({
    ...limits('the certified objective'),
    lambda: weight('λ, the price of an adversary’s greatest advantage', OURS),
    warmupEpochs: epochs('Epochs on E[log(1 + Δ²)] first', OURS),
    tail: weight(
      'Weight of E[log(1 + Δ²)] beside the advantage, for pairs that are wide open',
      OURS,
    ),
    lowerCase: weight(
      'What a pair counts whose moved word is in lower case, where any other counts 1',
      OURS,
    ),
    after: oneOf(['P1', 'P3'])('The phase whose weights it starts from', OURS),
  }),
  augmentation: section({
    copies: positiveInteger('Kind augmented: pseudonymised copies beside the notes', OURS),
    replaced: count('Copies beside the notes whose entities are replaced, as in releases', OURS),
    drawn: count(
      'How many such copies are drawn; of more than `replaced`, each epoch has others in turn',
      OURS,
    ),
    alpha: count('α, augmented copies of the sentences that hold PHI', PHICON),
    phi: flag('In these, each PHI span becomes a random item of its type', PHICON),
    context: flag('And words around are replaced by others or have others put before them', PHICON),
  }),
  supervised: section(limits('a run of one phase')),
  audit: section(
    limits(
      'an audit’s continued adversary',
      `${PAPER}, sections 7.3, 9: 50; gradient reversal: 20`,
      `${OURS}; the paper states none`,
    ),
  ),
});

export interface ConfigurationKey extends Described {
  /** `section.key` */
  readonly key: string;
  readonly usual: string;
}

/** Every key with its default, in the order of the schema. */
export function configurationKeys(defaults: object): ConfigurationKey[] {
  const keysOf = (schema: object, usual: object, prefix: string): ConfigurationKey[] =>
    Object.entries(schema).flatMap(([name, value]) => {
      const given = (usual as Record<string, unknown>)[name];
      if ('properties' in value) return keysOf(value.properties, given as object, `${name}.`);
      const { description, source } = value as Described;
      return [
        {
          key: `${prefix}${name}`,
          usual: given === undefined ? '' : `${given}`,
          description,
          source,
        },
      ];
    });
  return keysOf(CONFIG_SCHEMA.properties, defaults, '');
}
