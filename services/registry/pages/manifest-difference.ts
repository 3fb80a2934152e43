import type { Manifest } from '../../../models/bundle/manifest.js';
import { scoreTexts } from '../../../models/bundle/stated-scores.js';

/** What one of two manifests says otherwise than the other; undefined where it does not say it. */
export interface Difference {
  readonly what: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A part of two manifests, in how many of its facts they agree, and in which they do not. */
export interface PartDifference {
  readonly part: string;
  readonly same: number;
  readonly differences: readonly Difference[];
}

/** What changed from one manifest to another, part by part. */
export function manifestDifference(before: Manifest, after: Manifest): PartDifference[] {
  return PARTS.map(([part, factsOf]) => {
    const [old, young] = [factsOf(before), factsOf(after)].map((facts) => flattened(facts));
    const names = [...new Set([...old.keys(), ...young.keys()])];
    const changed = names.filter((what) => old.get(what) !== young.get(what));
    return {
      part,
      same: names.length - changed.length,
      differences: changed.map((what) => ({
        ...{ what, before: old.get(what), after: young.get(what) },
      })),
    };
  });
}

const PARTS: readonly (readonly [part: string, factsOf: (manifest: Manifest) => object])[] = [
  [
    'What it reads',
    ({ kind, tokenisation, labelScheme, embeddings }) => ({
      kind,
      tokenisation,
      embeddings,
      'label scheme': labelScheme,
    }),
  ],
  ['What it is made of', ({ architecture }) => architecture],
  ['Noise', ({ noise }) => ({ ...noise })],
  ['Training', ({ training, created }) => ({ ...training, made: created })],
  ['What its publisher measured', ({ scores }) => scoreTexts(scores)],
  ['Files', ({ files }) => files],
];

/** Every fact by its name; of a list, each of its items is one. */
function flattened(value: object, path: readonly string[] = []): Map<string, string> {
  const facts = Object.entries(value).flatMap(([key, each]): (readonly [string, string])[] => {
    if (Array.isArray(each))
      return each.map((item) => [[...path, key, `${item}`].join(', '), 'there'] as const);
    if (typeof each === 'object' && each !== null) return [...flattened(each, [...path, key])];
    return [[[...path, key].join(', '), `${each}`] as const];
  });
  return new Map(facts);
}
