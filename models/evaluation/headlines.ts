import { LEVELS, REGIONS } from './document-counts.js';
import type { MeanScore } from './score.js';
import type { Leakage, Scores } from './scores.js';

/**
 * The scores that get an interval and a test, by their path in `Scores`: every level's binary, micro
 * and macro precision, recall and F1, over all types and over HIPAA's; merged spans; the same by
 * region; and the shares of PHI characters and of documents with PHI that have leaked.
 */
export function headlines(scores: Scores): Map<string, number> {
  const found = new Map<string, number>();
  const add = (path: string, { precision, recall, f1 }: MeanScore) => {
    found.set(`${path}.precision`, precision);
    found.set(`${path}.recall`, recall);
    found.set(`${path}.f1`, f1);
  };
  const addLeakage = (path: string, leakage: Leakage) => {
    found.set(
      `${path}.leakedCharacterShare`,
      share(leakage.leakedCharacters, leakage.phiCharacters),
    );
    found.set(
      `${path}.documentsWithLeakShare`,
      share(leakage.documentsWithLeak, leakage.documentsWithPhi),
    );
  };
  for (const level of LEVELS) {
    const { hipaa, ...all } = scores[level];
    for (const [path, view] of [
      [level, all],
      [`${level}.hipaa`, hipaa],
    ] as const) {
      if (view === null) continue;
      add(`${path}.binary`, view.binary);
      add(`${path}.micro`, view.micro);
      add(`${path}.macro`, view.macro);
    }
  }
  add('merged', scores.merged);
  addLeakage('leakage', scores.leakage);
  for (const region of REGIONS) {
    const { token, strict } = scores.regions[region];
    add(`regions.${region}.token.binary`, token.binary);
    add(`regions.${region}.token.micro`, token.micro);
    add(`regions.${region}.strict.binary`, strict.binary);
    add(`regions.${region}.strict.micro`, strict.micro);
    addLeakage(`regions.${region}`, scores.regions[region]);
  }
  return found;
}

export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
