/** Numbers of neighbours in the paper's curves, and 1: with it nothing is moved (Friedrich et al. 2019, Figures 4 and 5). */
const NEIGHBOURS = [1, 10, 20, 50, 100, 200, 500, 1000] as const;
/** Dimensions of its longer representations (sections 5.2 and 7.3). */
const DIMENSIONS = [100, 300] as const;

/** What differs from the defaults, with the kind of training that it is for. */
interface Configuration {
  readonly kind: string;
  readonly [key: string]: unknown;
}

/** A curve of the paper: the kind of training with each number of neighbours. */
function curve(kind: string, neighbours: readonly number[]): [string, Configuration][] {
  return neighbours.map((N) => [`${kind}-${N}`, { kind, neighbours: N }]);
}

const LONGER = NEIGHBOURS.flatMap((N) =>
  DIMENSIONS.map((dimension): [string, Configuration] => [
    `adversarial-${N}-d${dimension}`,
    { kind: 'adversarial', neighbours: N, representation: { dimension } },
  ]),
);

/** What the paper gives of its training (Anjum et al. 2021, section 4), with a warm-up and an average of ours. */
const ANJUM_LEARNER = {
  ...{ optimiser: 'adam', learningRate: 0.002 },
  ...{ warmupSteps: 200, averaging: 0.995 },
};
/** Most of a step on short sentences is the same for twice as many. */
const LARGER_BATCH = { batchSentences: 64 };

/** A size that two processors train, with the dropout of Vaswani et al. 2017, section 5.4, everywhere. */
const SEQUENCE_TO_SEQUENCE = {
  ...{ network: 'sequence-to-sequence', units: 128, layers: 2 },
  ...{ inputDropout: 0.1, recurrentDropout: 0.1, outputDropout: 0.1 },
};

/**
 * Friedrich et al. 2019 as printed and as in their code (github.com/maxfriedrich/deid-training-data), where these
 * differ from the defaults. From the code: word vectors of unit length, noise that starts at 0.05, Nadam at 0.002 (the
 * default of their Keras), 20 epochs at most of P1 and of P2 and 40 of P3, each ended by 10 without a better one,
 * numbers that move among their N neighbours, and no restart of a constant adversary. From the paper, section 5.1: the
 * casing beside the representation, which does not see it. What remains different:
 *
 *   - their preprocessing (section 6) is no part of a configuration: tokens are as there, split at every mark and between
 *     digits and letters, but sentences are those of spaCy's splitter there, with rules for blank lines and for numbered
 *     and bulleted lists; here those of our own splitter, which knows blank lines and lists by other rules
 *   - their σ is drawn from N(0, 0.05²) a dimension, multiplied by a factor of the layer's that is learned too, and can
 *     reach 0 and change its sign; here all begin at 0.05, and none is less than 0.01
 *   - they move one of ten twins of a sentence that were drawn before training; here each is drawn afresh
 *   - each of their sentences makes a real and a fake pair in a batch; here one of both
 *   - their batches of P3 are half sentences with PHI, half without, and leave the rest out; here nothing is
 *   - their P3 begins with (b); here with (a), which takes a step for the de-identifier and one for the adversary, each
 *     with its own norm clipped, where they take one for both
 *   - their dropout spares the casing, and theirs after the LSTM (0.5) is on the inputs of both; here once, after them
 *   - they learn the CRF's marginals; here the likelihood of the whole
 *   - they end P1 and P2 by the second part of i2b2's training notes and P3 by the very sentences that are learned from;
 *     here all are ended by a share of the notes that nothing is learned from
 *   - variational dropout of 0.5 in their file of settings for this training; here 0.25, that of Table 1
 *   - word vectors of 300 numbers there, and what the embeddings given here have
 */
const FRIEDRICH = {
  ...{ kind: 'adversarial', digitMoves: 'neighbours' },
  deidentifier: { casingInClear: true },
  learner: { learningRate: 0.002 },
  P1: { maxEpochs: 20, patience: 10 },
  P2: { maxEpochs: 20, patience: 10 },
  P3: { maxEpochs: 40, patience: 10 },
  collapsedStddev: 0,
};
const FRIEDRICH_REPRESENTATION = {
  ...{ casing: false, unitInputs: true, dimension: 50 },
  ...{ initialInputStddev: 0.05, initialOutputStddev: 0.05 },
};
/** Equation 1 as it is printed, where d = 50 takes 25 units a direction; and the form and units of their code. */
const FRIEDRICH_FORMS: readonly (readonly [string, object])[] = [
  ['friedrich-2019', { ...FRIEDRICH_REPRESENTATION, form: 'lstm-alone', units: 25 }],
  ['friedrich-2019-code', { ...FRIEDRICH_REPRESENTATION, form: 'scaled-after', units: 128 }],
];
const FRIEDRICH_NEIGHBOURS = [100, 500, 1000] as const;

/** `friedrich-2019` with N = 100, `friedrich-2019-500`, ... */
const FRIEDRICH_CONFIGURATIONS = FRIEDRICH_FORMS.flatMap(([name, representation]) =>
  FRIEDRICH_NEIGHBOURS.map((neighbours): [string, Configuration] => [
    neighbours === 100 ? name : `${name}-${neighbours}`,
    { ...FRIEDRICH, neighbours, representation },
  ]),
);

/** For names that nobody labelled, which are open where they are words in lower case. */
const LOWER_CASE = [500, 1000].map((neighbours): [string, Configuration] => [
  `certified-${neighbours}-lower-case`,
  {
    ...{ kind: 'certified', neighbours, representation: { residual: true } },
    ...{ augmentation: { replaced: 1, drawn: 8 }, learner: { averaging: 0.999 } },
    certified: { tail: 0.2, lowerCase: 5 },
  },
]);

const CONFIGURATIONS: ReadonlyMap<string, Configuration> = new Map([
  ['non-private', { kind: 'raw' }],
  [
    'non-private-ready',
    {
      ...{ kind: 'raw', deidentifier: { characters: 'cnn' }, learner: { averaging: 0.998 } },
      augmentation: { replaced: 1, drawn: 10 },
    },
  ],
  ['non-private-without-casing', { kind: 'raw', deidentifier: { casing: false } }],
  [
    'sequence-to-sequence',
    {
      ...{ kind: 'raw', learner: ANJUM_LEARNER, ...LARGER_BATCH },
      deidentifier: { ...SEQUENCE_TO_SEQUENCE, characters: 'cnn', phiWeight: 2 },
    },
  ],
  [
    'sequence-to-sequence-pooled',
    {
      ...{ kind: 'pooled', learner: ANJUM_LEARNER, ...LARGER_BATCH },
      deidentifier: { ...SEQUENCE_TO_SEQUENCE, phiWeight: 2 },
    },
  ],
  [
    'sequence-to-sequence-78m',
    {
      ...{ kind: 'raw', learner: { ...ANJUM_LEARNER, warmupSteps: 4000 } },
      deidentifier: {
        ...{ ...SEQUENCE_TO_SEQUENCE, characters: 'cnn', phiWeight: 2 },
        ...{ units: 512, layers: 8, heads: 8, feedForward: 2048 },
      },
    },
  ],
  ...curve('pseudonymized', NEIGHBOURS),
  [
    'pseudonymized-100-document',
    { kind: 'pseudonymized', neighbours: 100, pseudonymsBy: 'document' },
  ],
  ...curve('dann', NEIGHBOURS),
  [
    'dann-100-constant',
    {
      ...{ kind: 'dann', neighbours: 100, dann: { rampEpochs: 0 } },
      audit: { maxEpochs: 20, patience: 20 },
    },
  ],
  ...curve('adversarial', NEIGHBOURS),
  ...LONGER,
  ...FRIEDRICH_CONFIGURATIONS,
  ...curve('augmented', [100]),
  ...curve('certified', [100, 500, 1000]),
  [
    'certified-500-without-casing',
    { kind: 'certified', neighbours: 500, representation: { casing: false } },
  ],
  ['certified-500-replaced', { kind: 'certified', neighbours: 500, augmentation: { replaced: 1 } }],
  [
    'certified-500-replaced-tail',
    {
      ...{ kind: 'certified', neighbours: 500 },
      ...{ augmentation: { replaced: 1 }, certified: { tail: 0.2 } },
    },
  ],
  ...LOWER_CASE,
  [
    'certified-500-general',
    {
      ...{ kind: 'certified', neighbours: 500, representation: { residual: true } },
      general: { objective: 'own-word', weight: 0.3 },
      ...{ augmentation: { replaced: 1 }, certified: { tail: 0.2 } },
    },
  ],
  ['certified-500-tail', { kind: 'certified', neighbours: 500, certified: { tail: 0.2 } }],
]);

/** The configurations that Tacet comes with: the rows and curves of the paper, and ours beside them. */
export function configurationNames(): string[] {
  return [...CONFIGURATIONS.keys()].sort(new Intl.Collator('en', { numeric: true }).compare);
}

/** One of them; undefined where there is none of that name. */
export function namedConfiguration(name: string): Configuration | undefined {
  return CONFIGURATIONS.get(name);
}
