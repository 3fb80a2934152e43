import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { epsilonOf } from '../../../../models/federation/privacy-accounting.js';
import { loadLabelScheme } from '../../../../models/text/label-scheme.js';
import type { FederatedResult } from '../../../../study/federation/federated-study.js';
import type { ExperimentSummary } from '../../../../study/federation/federated-summary.js';
import type { UpdateStudyResult } from '../../../../study/federation/update-study.js';
import type { SharingResult, SpentPrivacy } from '../../../../study/sharing/sharing-result.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite } from '../small-corpus.js';

const site = corpusSite(15, 1);
const { at } = site;
const shared = () => ['--embeddings', at('words.vec'), '--scheme', 'synthetic'];

beforeAll(async () => {
  const split = ['corpus', 'split', at('notes'), at('a.jsonl'), at('b.jsonl'), '--documents', '9'];
  expect((await capturedRun(...split)).exit).toBe(0);
});

/** The types of the notes, as a file of one's own says them. */
function schemeText(version: string): string {
  const { types } = loadLabelScheme('synthetic');
  return JSON.stringify({ name: 'own', version, description: 'Types.', types, map: {} });
}

/** The same words with others' vectors. */
async function otherVectors(): Promise<string> {
  const lines = (await readFile(at('words.vec'), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => line.replace(/ \S+$/, ' 0.5')).join('\n');
}

describe('tacet experiment sharing', () => {
  const sharing = async (...args: string[]) => {
    const { exit, stdout, stderr } = await capturedRun(
      ...['--json', 'experiment', 'sharing', ...shared(), '--config', at('config.json')],
      ...['--provider', `north=${at('a.jsonl')}`, '--site', `south=${at('b.jsonl')}`],
      ...[
        '--common-forms',
        'en',
        '--unseen',
        `west=${at('unseen')}`,
        '--rounds',
        '1',
        '--out',
        at('sharing'),
        ...args,
      ],
    );
    return { exit, stderr, results: (JSON.parse(stdout || '{}').results ?? []) as SharingResult[] };
  };

  test('takes no language of which nothing is known', async () => {
    const { exit, stderr } = await sharing('--common-forms', 'english');
    expect([exit, stderr]).toEqual([2, expect.stringMatching('of the language english')]);
  });

  test('says of every way what leaves, what is promised and what is found in each place', async () => {
    const asked = [
      'alone south',
      'pseudonymised text',
      'replaced text',
      'round robin',
      'selective',
      'averaging',
      'private averaging',
      'public notes',
    ];
    const { exit, results } = await sharing('--only', asked.join(','));
    expect(exit).toBe(0);
    const byRow = Object.fromEntries(results.map((each) => [each.row, each]));
    expect(Object.keys(byRow)).toEqual(asked);
    for (const { sites } of results) expect(Object.keys(sites)).toEqual(['south', 'west']);
    expect(byRow['alone south']).toMatchObject({ bytes: 0, rounds: 0, leaves: 'nothing' });
    expect(byRow['public notes']).toMatchObject({ bytes: 0, rounds: 0, leaves: 'nothing' });
    expect(byRow['replaced text']).toMatchObject({ leaves: 'text, entities replaced' });
    // Four bytes a weight, from both places, or from the one whose notes are not public.
    expect(byRow.averaging?.bytes).toBe(2 * (byRow['private averaging']?.bytes ?? 0));
    expect(byRow.selective?.bytes).toBeLessThanOrEqual(byRow.averaging?.bytes ?? 0);
    expect(byRow['private averaging']?.guarantee).toMatch(/^epsilon [0-8]\.\d\d, delta 0\.00001/);
    const spent = byRow['private averaging']?.privacy;
    expect(spent).toMatchObject({ delta: 1e-5, samplingRate: 0.125, clipNorm: 0.1, epochs: 1 });
    expect(spent?.epsilon).toBeLessThanOrEqual(8);
    expect(epsilonOf({ ...(spent as SpentPrivacy), steps: 8 * (spent?.epochs ?? 0) }, 1e-5)).toBe(
      spent?.epsilon,
    );
    const kept = await readFile(at('sharing/private averaging-seed-1.json'), 'utf8');
    expect(JSON.parse(kept).result.privacy).toEqual(spent);
    expect(byRow.averaging).not.toHaveProperty('privacy');
    expect(byRow['alone south']?.told).toBeNull();
    expect(byRow['replaced text']?.told).toMatchObject({ by: 'construction', value: 0.5 });
    expect(byRow.averaging?.told).toMatchObject({ by: 'attack' });
    expect(byRow['round robin']?.told).toBeNull();
    const table = await readFile(at('sharing/sharing.md'), 'utf8');
    expect(table.split('\n').length).toBe(2 + results.length + 1);
    expect(table).toMatch(/by attacks that were tried; blind \d+\.\d \|/);
    const page = await readFile(at('sharing/sharing.html'), 'utf8');
    expect(page.match(/<th scope="row">/g)).toHaveLength(results.length);
    // Nothing is measured twice.
    const withParts = ['--only', 'averaging', '--parts', at('parts')];
    expect((await sharing(...withParts)).exit).toBe(0);
    const again = await sharing(...withParts);
    expect(again.results).toEqual([byRow.averaging]);
    const learned = await readFile(at('parts/south-seed-1.jsonl'), 'utf8');
    const all = (await readFile(at('b.jsonl'), 'utf8')).trimEnd().split('\n');
    const lines = learned.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(all.length);
    expect(lines.every((line) => all.includes(line))).toBe(true);
    expect((await stat(at('parts/south-seed-1.jsonl'))).mode & 0o777).toBe(0o600);
  });

  test('refuses a way that there is none of, and leaves the tables as they are', async () => {
    const { exit, stderr } = await sharing('--only', 'averaging,released', '--out', at('unknown'));
    expect(exit).toBe(2);
    expect(stderr).toContain('no way is called released; expected some of alone north');
    await expect(stat(at('unknown/sharing.md'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('tacet experiment federated', () => {
  test('scores the networks of each experiment by epoch, and draws them', async () => {
    const { exit, stdout } = await capturedRun(
      ...['--json', 'experiment', 'federated', '--corpus', at('b.jsonl'), ...shared()],
      ...['--held-out', at('unseen'), '--network', 'neuroner', '--workers', '2'],
      ...['--epochs', '1', '--only', 'A,C_0.5,D', '--out', at('federated')],
    );
    expect(exit).toBe(0);
    const { results, experiments } = JSON.parse(stdout) as {
      results: FederatedResult[];
      experiments: ExperimentSummary[];
    };
    expect(experiments.map(({ experiment, timesLocal }) => [experiment, timesLocal])).toEqual([
      ['A', expect.any(Number)],
      ['C_0.5', expect.any(Number)],
      ['D', 1],
    ]);
    expect(results.map(({ experiment, epochs }) => [experiment, epochs.length])).toEqual([
      ['A', 1],
      ['C_0.5', 2],
      ['D', 2],
    ]);
    expect(await readFile(at('federated/federated.svg'), 'utf8')).toContain('C_0.5');
  });

  test('takes no result of a file of word vectors or of a scheme that has changed since', async () => {
    await copyFile(at('words.vec'), at('changed.vec'));
    await writeFile(at('changed.json'), schemeText('1'));
    const federated = () =>
      capturedRun(
        ...['experiment', 'federated', '--corpus', at('b.jsonl'), '--held-out', at('unseen')],
        ...['--embeddings', at('changed.vec'), '--scheme', at('changed.json'), '--epochs', '1'],
        ...['--network', 'neuroner', '--workers', '2', '--only', 'A', '--out', at('changed')],
      );
    expect((await federated()).exit).toBe(0);
    await writeFile(at('changed.vec'), await otherVectors());
    await writeFile(at('changed.json'), schemeText('2'));
    expect(await federated()).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/measured with other embeddings, scheme;/),
    });
  });

  test('a held-out document of a holder is refused', async () => {
    const { exit, stderr } = await capturedRun(
      ...['experiment', 'federated', '--corpus', at('b.jsonl'), '--held-out', at('b.jsonl')],
      ...[...shared(), '--network', 'neuroner', '--workers', '2', '--out', at('seen')],
    );
    expect(exit).toBe(3);
    expect(stderr).toContain('of the held-out documents are among those of training');
  });

  test('an experiment that there is none of is refused', async () => {
    const { exit, stderr } = await capturedRun(
      ...['experiment', 'federated', '--corpus', 'x', '--held-out', 'x', ...shared()],
      ...['--only', 'E', '--out', 'x'],
    );
    expect(exit).toBe(2);
    expect(stderr).toContain('expected some of A, B, C_0.1');
  });
});

describe('tacet experiment updates', () => {
  const updates = (...args: string[]) =>
    capturedRun(
      ...['--json', 'experiment', 'updates', '--corpus', at('notes'), ...shared()],
      ...['--network', 'neuroner', '--neighbours', '5', '--draws', '2', '--pairs', '2', ...args],
    );

  test('attacks what leaves each way, after as many rounds as are asked for', async () => {
    const only = ['--only', 'sentence,selective,private averaging', '--after', '0,1'];
    const sizes = ['--holders', '2', '--notes', '2', '--out', at('updates')];
    const { exit, stdout } = await updates(...only, ...sizes);
    expect(exit).toBe(0);
    const { results } = JSON.parse(stdout) as { results: UpdateStudyResult[] };
    expect(results.map(({ way, after, texts }) => [way, after, texts])).toEqual([
      ['sentence', 0, 1],
      ['sentence', 1, 1],
      ['selective', 0, 2],
      ['selective', 1, 2],
      ['private averaging', 0, 2],
      ['private averaging', 1, 2],
    ]);
    for (const { told, toldBlind, spanned, membership } of results)
      for (const share of [told.value, toldBlind.value, spanned.value, membership.auc]) {
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }
    const [easy] = results;
    expect(easy?.characters).toMatchObject({ found: easy?.characters?.there, wrong: 0 });
    const table = await readFile(at('updates/updates.md'), 'utf8');
    expect(table.split('\n').length).toBe(2 + results.length + 1);
    expect(results[0]?.inverted).toBeNull();
  });

  test('inverts as many updates of a way as it is told to', async () => {
    const inversions = ['--inversions', '1', '--inversion-steps', '1', '--inversion-moves', '2'];
    const sizes = ['--holders', '1', '--notes', '2', '--out', at('inverted')];
    const { exit, stdout } = await updates('--only', 'sentence', ...sizes, ...inversions);
    expect(exit).toBe(0);
    const [{ inverted, tokens } = {}] = (JSON.parse(stdout) as { results: UpdateStudyResult[] })
      .results;
    // One of two sentences, all of whose words are counted.
    expect(inverted?.words).toBeLessThan(2 * (tokens ?? 0));
    expect(inverted?.phiWords).toBeGreaterThan(0);
    const table = await readFile(at('inverted/updates.md'), 'utf8');
    expect(table).toContain('| words inverted | blind | PHI inverted | blind |');
  });

  test('trains at the rate and with the loss that are named, where the tagger is not averaged', async () => {
    const { exit, stdout } = await updates(
      ...['--only', 'note,averaging', '--holders', '1', '--notes', '1', '--out', at('rated')],
      ...['--learning-rate', '0.01', '--loss', 'mean'],
    );
    expect(exit).toBe(0);
    const { results } = JSON.parse(stdout) as { results: UpdateStudyResult[] };
    expect(results.map(({ training }) => training)).toEqual([
      { optimiser: { kind: 'sgd', learningRate: 0.01, clipValue: 5 }, loss: 'mean' },
      { optimiser: { kind: 'adam', learningRate: 0.001, clipNorm: 1 }, loss: 'mean' },
    ]);
  });

  test('takes no result of a file of word vectors or of a scheme that has changed since', async () => {
    await copyFile(at('words.vec'), at('attacked.vec'));
    await writeFile(at('attacked.json'), schemeText('1'));
    const attacked = () =>
      updates(
        ...['--embeddings', at('attacked.vec'), '--scheme', at('attacked.json')],
        ...['--only', 'sentence', '--holders', '1', '--notes', '2', '--out', at('attacked')],
      );
    expect((await attacked()).exit).toBe(0);
    await writeFile(at('attacked.vec'), await otherVectors());
    await writeFile(at('attacked.json'), schemeText('2'));
    expect(await attacked()).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/measured with other embeddings, scheme;/),
    });
  });

  test('too few notes are refused', async () => {
    const { exit, stderr } = await updates('--holders', '9', '--notes', '9', '--out', at('none'));
    expect(exit).not.toBe(0);
    expect(stderr).toContain('are too few: 9 holders with 9 each');
  });
});
