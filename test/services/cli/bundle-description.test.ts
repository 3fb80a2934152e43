import { expect, test } from '@jest/globals';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { statedScore } from '../../../models/bundle/stated-scores.js';
import { describeManifest } from '../../../services/cli/bundle-description.js';
import { manifestFields } from '../../models/bundle/manifest-fields.js';

const described = (fields: Partial<Manifest>) =>
  describeManifest({
    ...{ ...manifestFields(), created: '2026-03-04T05:06:07.000Z', files: {} },
    ...fields,
  }).join('\n');

test('the description of a bundle says first how well it does, in what language, and on what it was trained', () => {
  const text = described({
    training: { objective: 'pooled', snapshot: 'abc', sentences: 40, seed: 1, language: 'es' },
    scores: {
      ...statedScore('binary token F1, validation notes', { value: 0.97, interval: [0.96, 0.98] }),
      ...statedScore('binary token recall, validation notes', {
        value: 0.95,
        interval: [0.94, 0.96],
      }),
    },
  });
  const short = text.slice(text.indexOf('In short'), text.indexOf('What it is for'));
  expect(short).toMatch(/F1 +0\.97 \[0\.96, 0\.98\] \(binary token F1, validation notes\)/);
  expect(short).toMatch(/recall +0\.95 \[0\.94, 0\.96\]/);
  expect(short).toMatch(/language +es/);
  expect(short).toMatch(/trained on +snapshot abc of a pool, 40 sentences/);
});

test('what a manifest does not say is said to be missing', () => {
  const text = described({ training: {}, scores: {} });
  for (const name of ['F1', 'recall', 'language', 'trained on'])
    expect(text).toMatch(new RegExp(`^  ${name} +not stated by its publisher$`, 'm'));
});
