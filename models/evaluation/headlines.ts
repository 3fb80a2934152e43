import { LEVELS, REGIONS } from './document-counts.js';
import type { MeanScore, Score } from './score.js';
import type { Leakage, Scores } from './scores.js';

/**
 * The scores that get an interval and a test, by their path in `Scores`: every level's binary, micro
 * and macro precision, recall and F1, over all types and over HIPAA's; merged spans; the same by
 * region; and the shares of PHI characters and of documents with PHI that have leaked.
 */
export function headlines(scores: Scores): Map<string, number> {
  const found = new Map<string, number>();
  for (const [path, scored] of scoredParts(scores)) {
    if (isLeakage(scored)) {
      for (const [name, { part, whole }] of leakRatios(scored))
        found.set(`${path}.${name}`, share(part, whole));
      continue;
    }
    found.set(`${path}.precision`, scored.precision);
    found.set(`${path}.recall`, scored.recall);
    found.set(`${path}.f1`, scored.f1);
  }
  return found;
}

/** So many of so many, such as tokens that were found. */
export interface Ratio {
  readonly part: number;
  readonly whole: number;
}

/** The counts of those headlines that are ratios of counts, which no F1 is and no macro mean. */
export function ratios(scores: Scores): Map<string, Ratio> {
  const found = new Map<string, Ratio>();
  for (const [path, scored] of scoredParts(scores)) {
    if (isLeakage(scored)) {
      for (const [name, ratio] of leakRatios(scored)) found.set(`${path}.${name}`, ratio);
    } else if ('tp' in scored) {
      const { tp, fp, fn } = scored;
      found.set(`${path}.precision`, { part: tp, whole: tp + fp });
      found.set(`${path}.recall`, { part: tp, whole: tp + fn });
    }
  }
  return found;
}

type Scored = MeanScore | Score | Leakage;

function* scoredParts(scores: Scores): Generator<readonly [path: string, scored: Scored]> {
  for (const level of LEVELS) {
    const { hipaa, ...all } = scores[level];
    for (const [path, view] of [
      [level, all],
      [`${level}.hipaa`, hipaa],
    ] as const) {
      if (view === null) continue;
      yield [`${path}.binary`, view.binary];
      yield [`${path}.micro`, view.micro];
      yield [`${path}.macro`, view.macro];
    }
  }
  yield ['merged', scores.merged];
  yield ['leakage', scores.leakage];
  for (const region of REGIONS) {
    const { token, strict } = scores.regions[region];
    yield [`regions.${region}.token.binary`, token.binary];
    yield [`regions.${region}.token.micro`, token.micro];
    yield [`regions.${region}.strict.binary`, strict.binary];
    yield [`regions.${region}.strict.micro`, strict.micro];
    yield [`regions.${region}`, scores.regions[region]];
  }
}

function isLeakage(scored: Scored): scored is Leakage {
  return 'phiCharacters' in scored;
}

function leakRatios(leakage: Leakage): readonly (readonly [name: string, ratio: Ratio])[] {
  const { leakedCharacters, phiCharacters, documentsWithLeak, documentsWithPhi } = leakage;
  return [
    ['leakedCharacterShare', { part: leakedCharacters, whole: phiCharacters }],
    ['documentsWithLeakShare', { part: documentsWithLeak, whole: documentsWithPhi }],
  ];
}

export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
