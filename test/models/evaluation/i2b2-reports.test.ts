import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluation, evaluate } from '../../../models/evaluation/evaluate.js';
import { mapTypes } from '../../../models/evaluation/map-types.js';
import { pairDocuments } from '../../../models/evaluation/pair-documents.js';
import type { Score } from '../../../models/evaluation/score.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';

const data = process.env.TACET_DATA ?? resolve('../shared/data');
const golden = join(data, 'golden/i2b2');
const present = existsSync(golden);
const suite = present ? describe : describe.skip;
if (!present) process.stderr.write(`skipped: ${golden} is missing; set TACET_DATA\n`);

/** Precision, recall and F1 of one block of the official report, as it prints them. */
function officialMicro(report: string, block: string): string[] {
  const start = report.search(new RegExp(`^${block} \\(20\\)`, 'm'));
  if (start < 0) throw new Error(`the report has no block ${block}`);
  return report
    .slice(start)
    .split('\n')
    .slice(2, 5)
    .map((line) => line.trim().split(/\s+/).at(-1) as string);
}

/** Four significant digits, as the official script prints them. */
const printed = ({ precision, recall, f1 }: Score) =>
  [precision, recall, f1].map((value) => Number(value.toPrecision(4)));

suite.each(['system-1', 'system-2'])('on the golden i2b2 files, %s', (name) => {
  const report = present ? readFileSync(join(golden, `${name}.official.txt`), 'utf8') : '';
  let all: Evaluation;
  let hipaa: Evaluation;

  beforeAll(async () => {
    const { pairs } = await pairDocuments(
      readCorpus(join(golden, 'gold')),
      readCorpus(join(golden, name), { overlaps: 'keep' }),
    );
    const scheme = loadLabelScheme('i2b2-official-hipaa');
    const mapped = pairs.map(({ gold, system }) => ({
      gold: mapTypes(gold, scheme),
      system: mapTypes(system, scheme),
    }));
    all = evaluate(pairs, { seed: 1, resamples: 100 });
    hipaa = evaluate(mapped, { seed: 1, resamples: 100 });
  });

  const blocks: [string, () => Score][] = [
    ['Token', () => all.i2b2Token.micro],
    ['Binary Token', () => all.i2b2Token.binary],
    ['HIPAA Token', () => hipaa.i2b2Token.micro],
    ['Binary HIPAA Token', () => hipaa.i2b2Token.binary],
    ['Strict', () => all.entity.strict.micro],
    ['Binary Strict', () => all.entity.strict.binary],
    ['HIPAA Strict', () => hipaa.entity.strict.micro],
    ['Binary HIPAA Strict', () => hipaa.entity.strict.binary],
  ];

  test.each(blocks)('the micro scores equal the official report: %s', (block, scoreOf) => {
    expect(printed(scoreOf())).toEqual(officialMicro(report, block).map(Number));
  });

  test('our own tokens give a binary F1 within two points of the official one', () => {
    const [, , f1] = officialMicro(report, 'Binary Token').map(Number);
    expect(Math.abs(all.token.binary.f1 - (f1 ?? 0))).toBeLessThan(0.02);
  });
});
