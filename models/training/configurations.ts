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
