import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { alignDocuments, documentIds } from '../../../models/evaluation/align-documents.js';
import type { DocumentPair } from '../../../models/evaluation/document-counts.js';
import { evaluate } from '../../../models/evaluation/evaluate.js';
import { HipaaView } from '../../../models/evaluation/hipaa-view.js';
import { I2b2Report } from '../../../models/evaluation/i2b2-report.js';
import { meddocanReport, meddocanScores } from '../../../models/evaluation/meddocan-report.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { dataAt } from '../../shared-data.js';

const data = dataAt('golden');
const golden = data ?? '';
const suite = data ? describe : describe.skip;

const hipaa = new HipaaView(loadLabelScheme('i2b2-official-hipaa'));
const official = (name: string) =>
  data ? readFileSync(join(golden, `${name}.official.txt`), 'utf8') : '';

async function pairsOf(corpus: string, name: string): Promise<DocumentPair[]> {
  const gold = () => readCorpus(join(golden, corpus, 'gold'));
  const system = readCorpus(join(golden, corpus, name), { overlaps: 'keep' });
  const pairs: DocumentPair[] = [];
  for await (const aligned of alignDocuments(gold(), [system], await documentIds(gold())))
    pairs.push({ gold: aligned.gold, system: aligned.systems[0] as DocumentPair['system'] });
  return pairs;
}

suite.each(['system-1', 'system-2'])('on the golden i2b2 files, %s', (name) => {
  test('the report equals the official one to the last character', async () => {
    const report = new I2b2Report(hipaa);
    for (const pair of await pairsOf('i2b2', name)) report.add(pair);
    expect(`${report.lines.join('\n')}\n`).toBe(official(`i2b2/${name}`));
  });

  test('the evaluation holds the numbers of the report', async () => {
    const pairs = await pairsOf('i2b2', name);
    const report = new I2b2Report(hipaa);
    for (const pair of pairs) report.add(pair);
    const micro = (block: string) => report.blocks.find((found) => found.name === block)?.micro;
    const { i2b2Token, strict, relaxed, token } = evaluate(pairs, { seed: 1, resamples: 1, hipaa });
    expect(i2b2Token.micro).toEqual(micro('Token'));
    expect(i2b2Token.hipaa?.binary).toEqual(micro('Binary HIPAA Token'));
    expect(strict.hipaa?.micro).toEqual(micro('HIPAA Strict'));
    expect(relaxed.micro).toEqual(micro('Relaxed'));
    expect(strict.perType.AGE).toEqual(micro('AGE Strict'));
    expect(Math.abs(token.binary.f1 - i2b2Token.binary.f1)).toBeLessThan(0.02);
  });
});

suite('on the golden MEDDOCAN files', () => {
  test('leak, NER, strict and merged spans equal the official ones to the last digit', async () => {
    const pairs = await pairsOf('meddocan', 'system-1');
    const scores = meddocanScores(evaluate(pairs, { seed: 1, resamples: 1, hipaa }), 664);
    const lines = official('meddocan/system-1').split('\n');
    const stated = new Set(lines.map((line) => line.trim()).filter((line) => line !== ''));
    expect(new Set(meddocanReport(scores))).toEqual(stated);
  });

  test('without a number of sentences there is no leak', async () => {
    const pairs = await pairsOf('meddocan', 'system-1');
    const scores = meddocanScores(evaluate(pairs, { seed: 1, resamples: 1, hipaa }), undefined);
    expect(scores.leak).toBeNull();
    expect(meddocanReport(scores)[0]).toBe('Subtask1_Leak : NA');
  });
});
