/** Numbers of neighbours in the paper's curves, and 1: with it nothing is moved (Friedrich et al. 2019, Figures 4 and 5). */
const NEIGHBOURS = [1, 10, 20, 50, 100, 200, 500, 1000] as const;
/** Dimensions of its longer representations (Figure 5). */
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
