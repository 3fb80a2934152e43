import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { withRunLock } from '../../../../services/workflows/train/run-lock.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite, SMALL_CONFIG } from '../small-corpus.js';

const site = corpusSite(12, 3);
const { at } = site;

async function experiment(plan: unknown, out: string, ...args: string[]) {
  await writeFile(at('plan.json'), JSON.stringify(plan));
  const ran = await capturedRun(
    ...['--json', 'experiment', at('plan.json'), '--out', at(out), '--corpus', at('notes')],
    ...[
      '--held-out',
      at('unseen'),
      '--embeddings',
      at('words.vec'),
      '--scheme',
      'synthetic',
      ...args,
    ],
  );
  return { ...ran, stderr: ran.stderr.replace(/^\{"error".*\}$/m, messageOf) };
}

/** What an error as JSON says to people. */
function messageOf(line: string): string {
  const { error } = JSON.parse(line) as { error: { code: string; message: string } };
  return `${error.code}: ${error.message}`;
}

const trained = async (...args: Parameters<typeof experiment>) => {
  const { exit, stdout, stderr } = await experiment(...args);
  const reports = JSON.parse(stdout || '[]') as { directory: string; training: string }[];
  return {
    ...{ exit, stderr },
    runs: reports.map(({ directory, training }) => [
      path.relative(site.folder, directory),
      training,
    ]),
  };
};

const config = { ...SMALL_CONFIG, supervised: { maxEpochs: 1 } };
const plan = {
  runs: [{ name: 'raw', kind: 'raw', config, seeds: 2 }],
  grid: [
    { name: 'pseudo', kind: 'pseudonymized', config, over: { neighbours: [2, 5] }, seeds: [4] },
  ],
};
const RUNS = ['raw/seed-1', 'raw/seed-2', 'pseudo-2/seed-4', 'pseudo-5/seed-4'];

describe('tacet experiment', () => {
  test('trains and measures the list and the grid of a plan, each seed in its own directory', async () => {
    const { exit, runs } = await trained(plan, 'out');
    expect([exit, runs]).toEqual([0, RUNS.map((run) => [`out/${run}`, 'trained'])]);
    for (const run of RUNS) {
      const { own } = JSON.parse(await readFile(at(`out/${run}/measurements.json`), 'utf8'));
      expect(own.documents).toBe(3);
    }
    const { seed, neighbours } = JSON.parse(
      await readFile(at('out/pseudo-5/seed-4/config.json'), 'utf8'),
    );
    expect([seed, neighbours]).toEqual([4, 5]);
  });

  test('leaves finished runs alone, and ends an interrupted one with the same weights', async () => {
    const file = at('out/raw/seed-2/networks.safetensors');
    const weights = await readFile(file);
    for (const name of ['networks.json', 'networks.safetensors'])
      await rm(at(`out/raw/seed-2/${name}`));
    const { runs } = await trained(plan, 'out');
    const expected = RUNS.map((run) => [`out/${run}`, 'had come to its end']);
    expected[1][1] = 'trained';
    expect(runs).toEqual(expected);
    expect(await readFile(file)).toEqual(weights);
  });

  test('reports a run that fails, goes on with the others, and exits with 1', async () => {
    const wild = { ...config, learner: { learningRate: 1e30, clipNorm: 1e30 } };
    const { exit, runs, stderr } = await trained(
      {
        runs: [
          { name: 'wild', kind: 'raw', config: wild },
          { name: 'tame', kind: 'raw', config },
        ],
      },
      'wild',
      '--no-measure',
    );
    expect(exit).toBe(1);
    expect(runs).toEqual([
      ['wild/wild/seed-1', 'failed'],
      ['wild/tame/seed-1', 'trained'],
    ]);
    expect(stderr).toContain('experiment-failed: 1 of 2 runs failed');
  });

  test('ends runs of long names, and those that have no bundle, which is said', async () => {
    const name = `n${'.5'.repeat(40)}`;
    const runs = [
      { name, kind: 'raw', config },
      { name: 'scaled', kind: 'certified', config: 'scaled.json' },
    ];
    const scaled = { ...SMALL_CONFIG.representation, unitInputs: true };
    await writeFile(at('scaled.json'), JSON.stringify({ ...SMALL_CONFIG, representation: scaled }));
    const ended = await trained({ runs }, 'long', '--only', 'own');
    expect([ended.exit, ended.runs]).toEqual([
      0,
      [
        [`long/${name}/seed-1`, 'trained'],
        ['long/scaled/seed-1', 'trained'],
      ],
    ]);
    expect(ended.stderr).toContain('scaled/seed-1: no bundle: it scales word vectors');
    const bundled = JSON.parse(await readFile(at(`long/${name}/seed-1/manifest.json`), 'utf8'));
    expect(bundled.name).toBe(`n${'-5'.repeat(31)}`);
  });

  test('leaves a run to the process that works on it', async () => {
    const { exit, runs } = await withRunLock(at('out/raw/seed-1'), () => trained(plan, 'out'));
    expect(exit).toBe(0);
    expect(runs[0]).toEqual(['out/raw/seed-1', 'busy']);
    expect(runs[1]).toEqual(['out/raw/seed-2', 'had come to its end']);
  });

  test('does not take a finished run of another configuration for its own', async () => {
    const other = { runs: [{ ...plan.runs[0], config: { ...config, batchSentences: 7 } }] };
    const { exit, stderr } = await trained(other, 'out');
    expect(exit).toBe(1);
    expect(stderr).toContain('2 of 2 runs failed');
  });

  test.each([
    ['a kind that there is not', { name: 'a', kind: 'quantum' }, /no kind of training 'quantum'/],
    ['a key that there is not', { name: 'a', kind: 'raw', config: { seeed: 1 } }, /'seeed'/],
    ['a name that leaves the folder', { name: '../a', kind: 'raw' }, /runs\.0\.name/],
    ['no seed', { name: 'a', kind: 'raw', seeds: 0 }, /runs\.0\.seeds/],
    ['a file that there is not', { name: 'a', kind: 'raw', config: 'no.json' }, /no\.json/],
    [
      'keys for another kind',
      { name: 'a', kind: 'raw', config: { kind: 'certified' } },
      /a\/seed-1 is a configuration for 'tacet train certified', not for 'raw'/,
    ],
  ])('refuses a plan with %s before it trains anything', async (_, run, message) => {
    const { exit, stderr } = await experiment({ runs: [run] }, 'refused');
    expect(exit).toBeGreaterThanOrEqual(2);
    expect(stderr).toMatch(message);
    await expect(readdir(at('refused'))).rejects.toThrow();
  });

  test.each([
    ['supervised.maxEpochs.more', /'supervised\.maxEpochs\.more' in "over" has more than one dot/],
    ['seed', /'seed' in "over" belongs in "seeds"/],
    ['kind', /'kind' in "over" belongs in "kind"/],
    ['neighbors', /'neighbors'/],
    ['supervised.epochs', /'epochs'/],
  ])('refuses a grid over %s before it trains anything', async (key, message) => {
    const grid = [{ name: 'a', kind: 'raw', config, over: { [key]: [1, 2] } }];
    const { exit, stderr } = await experiment({ grid }, 'refused');
    expect(exit).toBe(2);
    expect(stderr).toMatch(message);
    await expect(readdir(at('refused'))).rejects.toThrow();
  });

  test('refuses two runs of one name', async () => {
    const { stderr } = await experiment({ runs: [plan.runs[0], plan.runs[0]] }, 'refused');
    expect(stderr).toContain('two runs are called raw/seed-1');
  });

  test('refuses notes that the runs would have seen before it trains anything', async () => {
    const { exit, stderr } = await experiment(plan, 'refused', '--held-out', at('notes'));
    expect(exit).toBe(3);
    expect(stderr).toContain('9 of the held-out documents are among those of training');
    await expect(readdir(at('refused'))).rejects.toThrow();
  });

  test('takes a configuration by its name', async () => {
    const named = { name: 'a', kind: 'raw', config: 'pseudonymized-100' };
    const { stderr } = await experiment({ runs: [named] }, 'refused');
    expect(stderr).toContain("is a configuration for 'tacet train pseudonymized', not for 'raw'");
  });
});

describe('tacet experiment --language', () => {
  const augmented = { ...config, augmentation: { alpha: 1, context: false } };
  const copied = { runs: [{ name: 'copied', kind: 'raw', config: augmented }] };
  const record = () => at('language/copied/seed-1/config.json');

  test('says what is public in the copies that a run of the plan learns from', async () => {
    const without = await trained(copied, 'without');
    expect([without.exit, without.stderr]).toEqual([
      1,
      expect.stringContaining('state it with --language'),
    ]);
    const { exit, runs } = await trained(copied, 'language', '--language', 'ES', '--only', 'facts');
    expect([exit, runs]).toEqual([0, [['language/copied/seed-1', 'trained']]]);
    expect(JSON.parse(await readFile(record(), 'utf8'))).toMatchObject({ language: 'es' });
  });

  test('is that of the training wherever the run is measured or goes on', async () => {
    const other = await trained(copied, 'language', '--language', 'en');
    expect([other.exit, other.stderr]).toEqual([
      1,
      expect.stringContaining('a finished run of another configuration or other notes'),
    ]);
    const measured = await capturedRun(
      ...['experiment', 'measure', at('language/copied/seed-1'), '--corpus', at('notes')],
      ...['--held-out', at('unseen'), '--embeddings', at('words.vec'), '--scheme', 'synthetic'],
      ...['--language', 'en', '--only', 'own'],
    );
    expect([measured.exit, measured.stderr]).toEqual([
      3,
      expect.stringContaining('was trained with another language'),
    ]);
  });

  test('is taken on trust for a run of a version that did not record it', async () => {
    const { language: _, ...earlier } = JSON.parse(await readFile(record(), 'utf8'));
    await writeFile(record(), JSON.stringify(earlier));
    const { exit, runs } = await trained(copied, 'language', '--language', 'en', '--no-measure');
    expect([exit, runs]).toEqual([0, [['language/copied/seed-1', 'had come to its end']]]);
  });
});

describe('tacet experiment --unlabelled', () => {
  const brief = { ...config, P1: { maxEpochs: 1 }, P2: { maxEpochs: 0 }, P3: { maxEpochs: 0 } };
  const texts = () => ['--unlabelled', at('texts.jsonl'), '--no-measure'];

  test('is for the runs that have a general objective, alone', async () => {
    const lines = ['the patient', 'was seen by'].map((text, i) =>
      JSON.stringify({ id: `${i}`, text }),
    );
    await writeFile(at('texts.jsonl'), lines.join('\n'));
    const grid = [
      {
        ...{ name: 'f', kind: 'adversarial', config: brief },
        over: { 'general.objective': ['none', 'clusters'], 'general.clusters': [3] },
      },
    ];
    const mixed = { runs: [{ name: 'raw', kind: 'raw', config }], grid };
    const { exit, runs, stderr } = await trained(mixed, 'general', ...texts());
    expect([exit, stderr.includes('failed')]).toEqual([0, false]);
    const read = await Promise.all(
      runs.map(
        async ([run]) =>
          'unlabelled' in JSON.parse(await readFile(at(`${run}/config.json`), 'utf8')),
      ),
    );
    expect(read).toEqual([false, false, true]);
    const again = await trained(mixed, 'general', ...texts());
    expect(again.runs.map(([, state]) => state)).toEqual(Array(3).fill('had come to its end'));
  });

  test('is refused where no run of the plan has one', async () => {
    const { exit, stderr } = await trained(
      { runs: [{ name: 'a', kind: 'raw', config }] },
      'no',
      ...texts(),
    );
    expect(exit).toBe(2);
    expect(stderr).toMatch(/config-invalid: nothing learns from --unlabelled/);
  });
});

describe('tacet train --seeds', () => {
  const train = (...args: string[]) =>
    capturedRun(
      ...['--json', 'train', 'raw', at('notes'), '--out', at('seeds'), '--config', at('one.json')],
      ...['--embeddings', at('words.vec'), '--scheme', 'synthetic', ...args],
    );

  test('trains each seed as a run of its own, and resumes as a whole', async () => {
    await writeFile(at('one.json'), JSON.stringify(config));
    const { exit } = await train('--seeds', '2');
    expect(exit).toBe(0);
    const [first, second] = await Promise.all(
      [1, 2].map((seed) => readFile(at(`seeds/seed-${seed}/networks.safetensors`))),
    );
    expect(first).not.toEqual(second);
    expect(first).toEqual(await readFile(at('out/raw/seed-1/networks.safetensors')));

    expect((await train('--seeds', '2')).stderr).toContain('already holds a run');
    const more = await train('--seeds', '3', '--resume');
    const { runs } = JSON.parse(more.stdout);
    expect(runs[at('seeds/seed-2')]).toBeNull();
    expect(runs[at('seeds/seed-3')].stages.supervised.epochs).toBe(1);
  });
});
