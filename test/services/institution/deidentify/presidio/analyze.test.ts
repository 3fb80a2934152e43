import { beforeAll, expect, test } from '@jest/globals';
import { readPublicKey } from '../../../../../models/bundle/key-files.js';
import { openEmbeddings } from '../../../../../models/embeddings/open.js';
import { useBackend } from '../../../../../models/tensor/backend.js';
import { loadLabelScheme } from '../../../../../models/text/label-scheme.js';
import {
  openTaggingModel,
  type TaggingModel,
} from '../../../../../services/institution/bundles/tagging-model.js';
import { analyze } from '../../../../../services/institution/deidentify/presidio/analyze.js';
import type { RecognizerResult } from '../../../../../services/institution/deidentify/presidio/recognizer-result.js';
import { readyPipeline } from '../../../../../services/institution/deidentify/ready-pipeline.js';

const TEXT = 'Jane Whitcombe, drivers license AC981277, was seen on 3 May 2021. BP 128/82 HR 76.';
const LICENCE = 'AC981277';

let tagger: TaggingModel;
beforeAll(async () => {
  await useBackend('native');
  const { bundle, publisher } = await readyPipeline('en');
  tagger = await openTaggingModel(bundle, {
    trustedKeys: [await readPublicKey(publisher)],
    embeddings: await openEmbeddings('wink'),
  });
}, 120_000);

async function found(lowScored: readonly string[], score_threshold = 0) {
  const request = { text: TEXT, language: 'en', score_threshold, return_decision_process: true };
  const results = await analyze(request, tagger, loadLabelScheme('presidio'), { lowScored });
  return new Map(
    (results as RecognizerResult[]).map((each) => [TEXT.slice(each.start, each.end), each]),
  );
}

test('what the model and a pattern find has the higher score, of the narrower type', async () => {
  const { entity_type, score } = (await found([])).get(LICENCE) ?? {};
  expect(entity_type).toBe('US_DRIVER_LICENSE');
  expect(score).toBeGreaterThan(0.7);
});

test('a type of the model whose scores are low leaves the score to the pattern, and what it found stays found', async () => {
  const low = await found(['ID']);
  expect(low.get(LICENCE)?.entity_type).toBe('US_DRIVER_LICENSE');
  expect(low.get(LICENCE)?.score).toBeCloseTo(0.65);
  expect((await found(['ID'], 0.7)).has(LICENCE)).toBe(false);
  const names = [...low.keys()];
  expect([...(await found([])).keys()]).toEqual(names);
  expect(low.get('Jane Whitcombe')?.score).toBeGreaterThan(0.7);
});

test('vital signs are left out of what the model finds', async () => {
  expect([...(await found([])).keys()].filter((each) => /128|76/.test(each))).toEqual([]);
});
