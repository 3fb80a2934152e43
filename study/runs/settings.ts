import {
  TRAINING_DEFAULTS,
  type TrainingConfig,
} from '../../models/training/configuration/config.js';
import type { FinishedRun } from './finished-run.js';

type Section = keyof TrainingConfig;

/** A de-identifier on words, or on releases when a representation is measured. */
const DEIDENTIFIER: readonly Section[] = [
  ...(['deidentifier', 'learner', 'batchSentences', 'supervised'] as const),
  ...(['validationShare', 'augmentation'] as const),
];
const PRIVATE: readonly Section[] = [
  ...DEIDENTIFIER,
  ...(['neighbours', 'digitMoves', 'representation', 'adversary'] as const),
  ...(['collapsedStddev', 'outputNoiseFactor', 'audit'] as const),
];
const PHASES: readonly Section[] = ['general', 'P1', 'P2', 'P3', 'lambda'];

/** What each kind of training reads of a configuration (recipes.ts), or the measuring of its runs. */
const READ: Readonly<Record<string, readonly Section[]>> = {
  raw: DEIDENTIFIER,
  pseudonymized: [...DEIDENTIFIER, 'neighbours', 'digitMoves', 'pseudonymsBy'],
  augmented: [...DEIDENTIFIER, 'neighbours', 'digitMoves'],
  dann: [...PRIVATE, 'dann'],
  adversarial: [...PRIVATE, ...PHASES],
};

/** The adversary learns last, with the limits of P2, whatever the certified objective starts from. */
function readByCertified({ certified }: TrainingConfig): readonly Section[] {
  const before: readonly Section[] = certified.after === 'P3' ? PHASES : ['general', 'P1', 'P2'];
  return [...PRIVATE, 'certified', ...before];
}

/** The sections that training and measuring of a run read, its seed apart; all of an unknown kind. */
function sectionsRead({ kind, config }: Pick<FinishedRun, 'kind' | 'config'>): Section[] {
  const all = (Object.keys(config) as Section[]).filter((key) => key !== 'seed');
  const read = kind === 'certified' ? readByCertified(config) : READ[kind];
  return read ? all.filter((key) => read.includes(key)) : all;
}

/** Whether the adversary of a representation learned anything in training. */
export function adversaryLearns({ kind, config }: Pick<FinishedRun, 'kind' | 'config'>): boolean {
  const { certified, P2, P3 } = config;
  if (kind !== 'certified') return true;
  return P2.maxEpochs > 0 || (certified.after === 'P3' && P3.maxEpochs > 0);
}

/** N, or null where no word is replaced. */
export function neighboursOf(run: Pick<FinishedRun, 'kind' | 'config'>): number | null {
  return sectionsRead(run).includes('neighbours') ? run.config.neighbours : null;
}

/** Sections that a row shows apart from its variant. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['neighbours', 'audit']);

/** Hex digits by which people tell one text from another. */
const FEW_DIGITS = 8;

/**
 * `lambda 0.3, alone` of the certified objective, `P3.patience 20`, and last what was learned from beside the notes:
 * `language es` of their copies, `unlabelled 3f2a9c41` by the digest of the text; empty for the defaults.
 */
export function variantOf(
  run: Pick<FinishedRun, 'kind' | 'config' | 'language' | 'unlabelled'>,
): string {
  const { kind, config, language, unlabelled } = run;
  const isCertified = kind === 'certified';
  const isAlone = isCertified && config.P1.maxEpochs === 0;
  const isSaid = (key: string) =>
    isCertified && (key === 'certified.lambda' || (isAlone && key.startsWith('P1.')));
  const usual = flat(TRAINING_DEFAULTS);
  const read = sectionsRead(run).filter((key) => !SHOWN_ELSEWHERE.has(key));
  const settings = flat(Object.fromEntries(read.map((key) => [key, config[key]])));
  const differing = [...settings].filter(
    ([key, value]) => !isSaid(key) && usual.get(key) !== value,
  );
  return [
    // The frontier is drawn over it, so that it is said even where it is the default.
    ...(isCertified ? [`lambda ${config.certified.lambda}`] : []),
    ...(isAlone ? ['alone'] : []),
    // Of P3: that of the certified objective goes by the same name.
    ...differing.map(([key, value]) =>
      isCertified && key === 'lambda' ? `P3 lambda ${value}` : `${key} ${value}`,
    ),
    ...(language === undefined ? [] : [`language ${language}`]),
    ...(unlabelled === undefined ? [] : [`unlabelled ${unlabelled.slice(0, FEW_DIGITS)}`]),
  ].join(', ');
}

function flat(value: object, prefix = ''): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [key, each] of Object.entries(value)) {
    if (typeof each !== 'object' || each === null) found.set(`${prefix}${key}`, each);
    else for (const [inner, own] of flat(each, `${prefix}${key}.`)) found.set(inner, own);
  }
  return found;
}
