import type { Manifest } from './manifest.js';

type Scores = Manifest['scores'];

const DIGITS = 4;
const [FROM, TO] = [', 95 % interval from', ', 95 % interval to'];

/** How the name of a certified limit begins; what follows says on which notes it was measured. */
export const LIMIT_OF_PAIRS = 'limit of every attack on pairs';
/** What scores are of that training stopped by. */
export const VALIDATION_NOTES = 'validation notes';

/** A score as a manifest states it. */
export interface StatedScore {
  readonly name: string;
  readonly value: number;
  /** 95 %; undefined where the manifest states none. */
  readonly interval?: readonly [number, number] | undefined;
}

/** A score and its 95 % interval, as the three numbers that a manifest has of it. */
export function statedScore(
  name: string,
  { value, interval }: { readonly value: number; readonly interval: readonly [number, number] },
): Scores {
  const [from, to] = interval;
  return { [name]: value, [name + FROM]: from, [name + TO]: to };
}

/** The scores of a manifest in its order, each with the interval that stands beside it. */
export function statedScores(scores: Scores): StatedScore[] {
  const withInterval = Object.keys(scores).filter(
    (name) => name + FROM in scores && name + TO in scores,
  );
  const ends = new Set(withInterval.flatMap((name) => [name + FROM, name + TO]));
  return Object.entries(scores)
    .filter(([name]) => !ends.has(name))
    .map(([name, value]) => ({
      ...{ name, value },
      ...(withInterval.includes(name) && { interval: [scores[name + FROM], scores[name + TO]] }),
    }));
}

/** The first score of a kind, such as `F1`: of binary tokens where that is stated. */
export function firstScore(scores: Scores, kind: string): StatedScore | undefined {
  const all = statedScores(scores);
  const first = (start: string) => all.find(({ name }) => name.startsWith(start));
  return first(`binary token ${kind}`) ?? first(kind);
}

/** The certified limits that a manifest states, those of validation notes, by which training stopped, behind the others. */
export function statedLimits(scores: Scores): StatedScore[] {
  const all = statedScores(scores).filter(({ name }) => name.startsWith(LIMIT_OF_PAIRS));
  const chose = ({ name }: StatedScore) => name.includes(VALIDATION_NOTES);
  return [...all.filter((limit) => !chose(limit)), ...all.filter(chose)];
}

/** The scores for people: an interval stands beside its score. */
export function scoreTexts(scores: Scores): Record<string, string> {
  return Object.fromEntries(
    statedScores(scores).map(({ name, ...score }) => [name, scoreText(score)]),
  );
}

/** `0.9612 [0.9588, 0.9634]`. */
export function scoreText({ value, interval }: Omit<StatedScore, 'name'>): string {
  return interval
    ? `${roundScore(value)} [${interval.map(roundScore).join(', ')}]`
    : `${roundScore(value)}`;
}

function roundScore(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
