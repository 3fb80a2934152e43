import type { CountColumns, CountSums } from './count-columns.js';
import {
  column,
  HIPAA,
  LEVELS,
  type Level,
  REGIONS,
  type Region,
  WHOLE,
} from './document-counts.js';
import { type Counts, type MeanScore, meanScore, type Score, scoreOf } from './score.js';

export interface BinaryAndMicro {
  /** Types left out. */
  readonly binary: Score;
  /** Over the sums of the counts of all types. */
  readonly micro: Score;
}

export interface TypedScores extends BinaryAndMicro {
  /** The mean over the types that occur. */
  readonly macro: MeanScore;
}

export interface LevelScores extends TypedScores {
  readonly perType: Readonly<Record<string, Score>>;
  /** Over the types that count as HIPAA identifiers; null where some types are unknown as such. */
  readonly hipaa: TypedScores | null;
}

export interface Leakage {
  /** White space is not counted. */
  readonly phiCharacters: number;
  /** Characters of gold PHI that no span of the system covers, whatever its type. */
  readonly leakedCharacters: number;
  readonly documentsWithPhi: number;
  readonly documentsWithLeak: number;
}

export interface RegionScores extends Leakage {
  readonly token: BinaryAndMicro;
  readonly strict: BinaryAndMicro;
}

/** All scores of a set of documents. */
export interface Scores extends Readonly<Record<Level, LevelScores>> {
  /** MEDDOCAN's merged spans. */
  readonly merged: Score;
  readonly leakage: Leakage;
  readonly regions: Readonly<Record<Region, RegionScores>>;
}

/** What turns sums of counts into scores: the types that occur, and those that are HIPAA's. */
export interface ScoredTypes {
  readonly perLevel: Readonly<Record<Level, readonly string[]>>;
  readonly isHipaa: ((type: { readonly type: string }) => boolean) | null;
}

export function scoredTypes(columns: CountColumns, isHipaa: ScoredTypes['isHipaa']): ScoredTypes {
  const names = [...columns.names];
  const typesOf = (level: Level) => {
    const prefix = column(level, 'type', '');
    const found = names.filter((name) => name.startsWith(prefix));
    return found.map((name) => name.slice(prefix.length)).sort();
  };
  return { perLevel: byName(LEVELS, typesOf), isHipaa };
}

export function scoresOf(sums: CountSums, types: ScoredTypes): Scores {
  return {
    ...byName(LEVELS, (level) => levelScores(sums, level, types)),
    merged: scoreOf(sums('merged')),
    leakage: leakageScores(sums, WHOLE),
    regions: byName(REGIONS, (region) => ({
      ...leakageScores(sums, region),
      token: binaryAndMicro(sums, column('token', region)),
      strict: binaryAndMicro(sums, column('strict', region)),
    })),
  };
}

function levelScores(sums: CountSums, level: Level, { perLevel, isHipaa }: ScoredTypes) {
  const perType = perLevel[level]
    .map((type) => [type, sums(column(level, 'type', type))] as const)
    .filter(([, { tp, fp, fn }]) => tp + fp + fn > 0)
    .map(([type, counts]) => ({ type, score: scoreOf(counts) }));
  const typedScores = (
    view: string,
    scores: readonly { readonly score: Score }[],
  ): TypedScores => ({
    ...binaryAndMicro(sums, column(level, view)),
    macro: meanScore(scores.map(({ score }) => score)),
  });
  return {
    ...typedScores(WHOLE, perType),
    perType: Object.fromEntries(perType.map(({ type, score }) => [type, score])),
    hipaa: isHipaa === null ? null : typedScores(HIPAA, perType.filter(isHipaa)),
  };
}

function binaryAndMicro(sums: CountSums, prefix: string): BinaryAndMicro {
  return {
    binary: scoreOf(sums(column(prefix, 'binary'))),
    micro: scoreOf(sums(column(prefix, 'micro'))),
  };
}

function leakageScores(sums: CountSums, region: string): Leakage {
  const characters = sums(column('characters', region));
  const documents = sums(column('documents', region));
  return {
    phiCharacters: positives(characters),
    leakedCharacters: characters.fn,
    documentsWithPhi: positives(documents),
    documentsWithLeak: documents.fn,
  };
}

const positives = ({ tp, fn }: Counts) => tp + fn;

function byName<K extends string, V>(names: readonly K[], value: (name: K) => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<K, V>;
}
