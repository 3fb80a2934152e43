import type { AttackContext, AttackReport } from '../attack.js';
import type { AttackId } from '../attack-ids.js';
import { pairStatistics } from '../likelihood/pair-statistics.js';
import { attackReport } from '../report/attack-report.js';
import type { SentenceTraits } from '../traits.js';
import type { Evidence, Sight } from './sight.js';

/** A held sentence or note with the evidence that it was contributed, and whether it was. */
export interface Confirmable {
  readonly documentIndex: number;
  readonly contributed: boolean;
  readonly evidence: Evidence;
  readonly traits: Partial<SentenceTraits>;
}

/** False alarm rates. */
const RATE = 0.01;
const LOWER_RATE = 0.001;

const LOOKS: Readonly<Record<Sight, string>> = {
  all: 'by the vectors, labels and lengths of all that was contributed',
  vectors: 'by the vectors alone of what has the same length',
  labels: 'by labels alone',
  lengths: 'by lengths alone',
};

/** Of pieces of sentences. */
const LOOKS_AT_PIECES: Readonly<Record<Sight, string>> = {
  all: 'by the vectors, labels and lengths of all pieces that were contributed',
  vectors: 'by the vectors alone of pieces of the same length, told where it would be cut,',
  labels: 'by labels of pieces alone',
  lengths: 'by lengths of pieces alone',
};

type Held = 'sentence' | 'note';

const IDS: Readonly<Record<Held, Readonly<Record<Sight, AttackId>>>> = {
  sentence: {
    all: 'confirm-sentence',
    vectors: 'confirm-sentence-vectors',
    labels: 'confirm-sentence-labels',
    lengths: 'confirm-sentence-lengths',
  },
  note: {
    all: 'confirm-note',
    vectors: 'confirm-note-vectors',
    labels: 'confirm-note-labels',
    lengths: 'confirm-note-lengths',
  },
};

/**
 * How many of the contributed were recognised at 1 % false alarms: those with more evidence than all but 1 % of
 * the others. Guessing recognises as many as fall above that one by chance, (a + 1) / (n + 1) for a
 * false alarms among n. What labels and lengths tell does not depend on a representation: baselines.
 */
export function confirmationReport(
  held: Held,
  sight: Sight,
  all: readonly Confirmable[],
  { shortened, settings }: Pick<AttackReport, 'shortened' | 'settings'>,
  { comparisons }: Pick<AttackContext, 'comparisons'>,
): AttackReport {
  const contributed = all.filter((each) => each.contributed);
  const others = all.filter((each) => !each.contributed);
  const alarms = Math.floor(RATE * others.length);
  const scores = others.map(({ evidence }) => evidence[sight]).sort((a, b) => b - a);
  const threshold = scores[alarms] ?? Number.NEGATIVE_INFINITY;
  const pairs = all.map(({ documentIndex, evidence, contributed: real }) => ({
    documentIndex,
    score: evidence[sight],
    real,
    ...(sight === 'all' && { blind: evidence.labels }),
  }));
  const id = IDS[held][sight];
  const looks = settings.pieces === undefined ? LOOKS : LOOKS_AT_PIECES;
  const heading = {
    name: id,
    attack: id,
    task: held === 'note' ? 'confirm a note' : 'confirm a sentence',
    role: sight === 'all' || sight === 'vectors' ? 'attack' : 'lower baseline',
    description: `holds a ${held} with its labels${settings.masked ? ', though not what its entities were replaced by,' : ''} and tells ${looks[sight]} whether it was contributed, with false alarms in 1 % of the ${others.length} that were not${unresolved(others.length)}`,
    shortened,
    settings: {
      ...settings,
      notContributed: others.length,
      falseAlarms: alarms,
      resolves1Percent: isResolved(RATE, others.length),
      resolves01Percent: isResolved(LOWER_RATE, others.length),
    },
    pairs: { ...pairStatistics(pairs), fakes: others.length },
  } as const;
  const outcomes = contributed.map(({ documentIndex, evidence, traits }) => ({
    ...{ documentIndex, traits },
    success: evidence[sight] > threshold,
  }));
  return attackReport(heading, outcomes, (alarms + 1) / (others.length + 1), { comparisons });
}

/** A rate is measured only where one false alarm among so many does not exceed it. */
function isResolved(rate: number, count: number): boolean {
  return rate * count >= 1;
}

function unresolved(count: number): string {
  const rates = [RATE, LOWER_RATE].filter((rate) => !isResolved(rate, count));
  return rates.length === 0
    ? ''
    : `, too few to resolve ${rates.map((rate) => `${100 * rate} %`).join(' and ')}`;
}
