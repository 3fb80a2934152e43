import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createKeyFiles } from '../../../../models/bundle/key-files.js';
import type { Manifest, ManifestFields } from '../../../../models/bundle/manifest.js';
import { requirePublishable } from '../../../../models/bundle/publishable.js';
import { capturedRun } from '../captured-run.js';
import { SMALL_CONFIG, smallCorpus } from '../small-corpus.js';

const NON_PRIVATE = ['raw', 'pseudonymized', 'augmented'];
const PRIVATE = ['adversarial', 'certified', 'dann'];
const SCORES = ['binary token F1', 'binary token precision', 'binary token recall', 'entity F1'];

let folder: string;
let cwd: string;

beforeAll(async () => {
  folder = await smallCorpus('tacet-train-', 12);
  process.env.TACET_CACHE = path.join(folder, 'cache');
  await createKeyFiles(path.join(folder, 'keys'));
});
beforeEach(() => {
  cwd = process.cwd();
  process.chdir(folder);
});
afterEach(() => process.chdir(cwd));
afterAll(() => rm(folder, { recursive: true }));

const train = (kind: string, out: string, ...options: readonly string[]) =>
  capturedRun(
    ...['train', kind, 'notes', '--embeddings', 'words.vec', '--scheme', 'synthetic'],
    ...['--config', 'config.json', '--language', 'en', '--out', out, ...options],
  );

/** The commands that a training ended with, as the words of each. */
function nextOf(stdout: string): string[][] {
  const lines = stdout.split('\n');
  const from = lines.findIndex((line) => line.startsWith('next'));
  const commands = lines.slice(from + 1).filter((line) => line.startsWith('  tacet '));
  return commands.map((line) => line.trim().split(' ').slice(1));
}

/** Runs them in order; who has keys leaves out the first. */
async function runAll(commands: readonly string[][]): Promise<void> {
  expect(commands[0]).toEqual(['keys', 'create', 'keys']);
  for (const words of commands.slice(1))
    expect(await capturedRun(...words)).toMatchObject({ exit: 0 });
}

const fieldsOf = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as ManifestFields;

describe('tacet train', () => {
  test.each(NON_PRIVATE)(
    '%s ends with scores, a bundle and commands that work as they are printed',
    async (kind) => {
      const { exit, stdout } = await train(kind, kind);
      expect(exit).toBe(0);
      for (const score of SCORES)
        expect(stdout).toMatch(
          new RegExp(`${score}, validation notes +[\\d.]+ \\[[\\d.]+, [\\d.]+\\]`),
        );
      expect(stdout).toContain('measured on the 1 validation notes');
      expect(stdout).toContain(`made ${kind}/manifest.json, weights.safetensors: a pipeline`);
      await runAll(nextOf(stdout));
      expect(await readdir(`${kind}-pipeline-clean`)).toHaveLength(12);
      expect(await readdir(`${kind}-pipeline`)).not.toContain('representation.onnx');
      expect(await readdir(`${kind}-pipeline`)).toContain('deidentifier.onnx');
      const fields = await fieldsOf(`${kind}/manifest.json`);
      expect(fields.training).toMatchObject({ objective: kind, corpus: 'notes', language: 'en' });
      expect(() => requirePublishable(fields as Manifest)).not.toThrow();
    },
  );

  test.each(PRIVATE)(
    '%s makes a representation, and a pipeline of its de-identifier',
    async (kind) => {
      const { exit, stdout } = await train(kind, kind);
      expect(exit).toBe(0);
      for (const score of [...SCORES, 'limit of every attack on pairs'])
        expect(stdout).toContain(`${score}, validation notes`);
      await runAll(nextOf(stdout));
      expect(await readdir(`${kind}-pipeline-clean`)).toHaveLength(12);
      const [representation, pipeline] = await Promise.all(
        [kind, `${kind}/pipeline`].map((at) => fieldsOf(`${at}/manifest.json`)),
      );
      expect(representation).toMatchObject({ kind: 'representation', name: kind });
      expect(pipeline).toMatchObject({ kind: 'pipeline', name: `${kind}-pipeline` });
      expect(pipeline.scores).toEqual(representation.scores);
    },
  );

  test('on text makes a pipeline whatever is said of casing beside a representation', async () => {
    const deidentifier = { ...SMALL_CONFIG.deidentifier, casingInClear: true };
    await writeFile('clear.json', JSON.stringify({ ...SMALL_CONFIG, deidentifier }));
    const { exit, stdout } = await train('raw', 'clear', '--config', 'clear.json');
    expect(exit).toBe(0);
    expect(stdout).toContain('made clear/manifest.json, weights.safetensors: a pipeline');
    expect(await readdir('clear')).toContain('networks.json');
    const { architecture } = await fieldsOf('clear/manifest.json');
    expect(architecture.deidentifier).not.toHaveProperty('casingInClear');
  });

  test.each(['raw', 'certified'])(
    '%s keeps what no manifest can state, and says why there is no bundle',
    async (kind) => {
      const vectors = `${'long'.repeat(55)}.vec`;
      await cp('words.vec', vectors);
      const out = `${kind}-unstated`;
      const { exit, stdout } = await train(kind, out, '--embeddings', vectors);
      expect(exit).toBe(0);
      expect(stdout).toMatch(/^no bundle: bundle-invalid: .*embeddings\.name .*200 characters/m);
      expect(stdout).not.toContain('tacet bundle create');
      expect(await readdir(out)).toContain('networks.json');
      expect(await readdir(out)).not.toContain('manifest.json');
    },
  );

  test('says why a representation has no bundle, and why its de-identifier none', async () => {
    const noBundle = async (out: string, changed: object) => {
      await writeFile('changed.json', JSON.stringify({ ...SMALL_CONFIG, ...changed }));
      const { stdout } = await train('certified', out, '--config', 'changed.json');
      expect(await readdir(out)).toContain('networks.json');
      return stdout;
    };
    const representation = { ...SMALL_CONFIG.representation, unitInputs: true };
    expect(await noBundle('scaled', { representation })).toMatch(
      /^no bundle: it scales word vectors to unit length/m,
    );
    const deidentifier = { ...SMALL_CONFIG.deidentifier, casingInClear: true };
    const stdout = await noBundle('casing', { deidentifier });
    expect(stdout).toContain('made casing/manifest.json, weights.safetensors: a representation');
    expect(stdout).toMatch(/^no pipeline: .*casing, which no release holds$/m);
  });

  test('says as JSON what it made, how well that does and what comes next', async () => {
    const out = 'a folder';
    const { stdout } = await train('raw', out, '--json');
    const { scores, bundles, next } = JSON.parse(stdout);
    expect(scores['entity F1, validation notes']).toBeGreaterThanOrEqual(0);
    expect(bundles).toMatchObject([
      { kind: 'pipeline', manifest: path.join(out, 'manifest.json') },
    ]);
    expect(next[1]).toContain("tacet bundle create 'a folder-pipeline' --manifest");
  });

  test('writes over no bundle that lies in --out or below, and none of several runs begins', async () => {
    const over = async (kind: string, out: string, ...options: readonly string[]) => {
      const { exit, stderr } = await train(kind, out, ...options);
      expect([exit, stderr]).toEqual([3, expect.stringMatching(/file-exists: .*--out/)]);
      expect(stderr).not.toContain('training on');
    };
    for (const place of ['held', 'below/pipeline', 'several/seed-2']) {
      await mkdir(place, { recursive: true });
      await writeFile(`${place}/manifest.json`, 'kept');
    }
    await over('raw', 'held');
    await over('certified', 'below');
    await over('raw', 'several', '--seeds', '2');
    expect(await readdir('held')).toEqual(['manifest.json']);
    expect(await readdir('below')).toEqual(['pipeline']);
    expect(await readdir('several')).toEqual(['seed-2']);
  });

  test('prints a line an epoch where there is no terminal, and none in between', async () => {
    const { stderr } = await train('adversarial', 'lines');
    const epochs = stderr.split('\n').filter((line) => /^P[123]/.test(line));
    expect(epochs).toEqual([
      expect.stringMatching(
        /^P1, epoch 1 of 2 {2}l_deid [\d.]+ {2}validation [\d.]+, best {2}≤ \d+ s left$/,
      ),
      expect.stringMatching(
        /^P1, epoch 2 of 2 {2}l_deid [\d.]+ {2}validation [\d.]+(, best)? {2}the last$/,
      ),
      expect.stringMatching(/^P2, epoch 1 of 1 {2}l_adv/),
      expect.stringMatching(/^P3, epoch 1 of 1 {2}l_deid [\d.]+ {2}l_adv [\d.]+ {2}l_rep/),
    ]);
  });
});

describe('--unlabelled', () => {
  const beside = (kind: string, out: string, ...paths: readonly string[]) =>
    train(kind, out, '--config', 'general.json', '--unlabelled', ...paths);

  beforeAll(async () => {
    const general = { objective: 'own-word' };
    await writeFile(
      path.join(folder, 'general.json'),
      JSON.stringify({ ...SMALL_CONFIG, general }),
    );
    await mkdir(path.join(folder, 'rulings'));
    for (const [i, text] of [
      'The court finds that',
      'A ruling of Maria Lopez on',
      'So it is',
    ].entries())
      await writeFile(path.join(folder, `rulings/${i}.txt`), `${text} the patient was seen.`);
    await writeFile(path.join(folder, 'law.jsonl'), '{"id": "law", "text": "The law is the law."}');
  });

  test.each(['adversarial', 'certified'])(
    'of %s is text that f learns on besides, and the manifest says so',
    async (kind) => {
      const out = `${kind}-general`;
      const { exit, stderr } = await beside(kind, out, 'rulings', 'law.jsonl');
      expect(exit).toBe(0);
      expect(stderr).toContain('and the text of 3 without labels');
      expect(stderr).toMatch(
        /^P1, epoch 1 of 2 {2}l_deid [\d.]+ {2}l_general [\d.]+ {2}validation/m,
      );
      const metrics = (await readFile(`${out}/metrics.jsonl`, 'utf8')).split('\n')[0];
      expect(JSON.parse(metrics ?? '')).toMatchObject({
        train: { l_general: expect.any(Number) },
        validation: { l_general: expect.any(Number), l_unlabelled: expect.any(Number) },
      });
      const { training } = await fieldsOf(`${out}/manifest.json`);
      expect(training).toMatchObject({
        ...{ corpus: 'notes', documents: 11, 'unlabelled corpus': 'rulings, law.jsonl' },
        ...{ 'unlabelled documents': 3, 'unlabelled validation documents': 1 },
        ...{ 'general objective': 'own-word', 'weight of the general objective': 0.1 },
      });
      const networks = JSON.parse(await readFile(`${out}/networks.json`, 'utf8'));
      expect(Object.keys(networks)).toEqual(['representation', 'deidentifier', 'adversary']);
    },
  );

  test('must be there again, and the same, to resume', async () => {
    const resumed = (...paths: string[]) =>
      beside('certified', 'certified-general', ...paths, '--resume');
    const other = { exit: 3, stderr: expect.stringContaining('checkpoint-invalid') };
    expect(await resumed('rulings')).toMatchObject(other);
    const without = await train(
      'certified',
      'certified-general',
      '--config',
      'general.json',
      '--resume',
    );
    expect(without).toMatchObject(other);
    expect(await resumed('rulings', 'law.jsonl')).toMatchObject({ exit: 0 });
  });

  test('is refused where no general objective reads it', async () => {
    const { exit, stderr } = await train('certified', 'refused', '--unlabelled', 'rulings');
    expect(exit).toBe(2);
    expect(stderr).toMatch(
      /config-invalid: .*general\.objective is none: name another one .* leave/,
    );
    expect(await train('raw', 'refused', '--unlabelled', 'rulings')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("unknown option '--unlabelled'"),
    });
  });

  test.each([
    [
      'one document alone',
      ['law.jsonl'],
      /corpus-invalid: text without labels: found 1 document of 1 origin, .*part a long text/,
    ],
    [
      'notes that have labels',
      ['rulings', 'copies'],
      /corpus-invalid: 12 of the documents .*leave them out/,
    ],
    ['a folder that there is not', ['nowhere'], /file-not-found: .*nowhere/],
  ])('refuses %s', async (_, paths, message) => {
    await cp('notes', 'copies', { recursive: true });
    const { exit, stderr } = await beside('certified', 'refused', ...paths);
    expect(exit).not.toBe(0);
    expect(stderr).toMatch(message);
  });
});

describe('a bundle without a representation', () => {
  const encode = (command: readonly string[]) =>
    capturedRun(
      ...[...command, '--model', 'raw-pipeline', '--trust', 'keys/public.pem'],
      ...['--embeddings', 'words.vec'],
    );

  test.each([
    ['encode', 'notes', '--new-home', 'home'],
    ['audit', 'run', '--corpus', 'notes', '--out', 'audit'],
  ])('cannot be used for %s', async (...command) => {
    const { exit, stderr } = await encode(command);
    expect({ exit, stderr }).toEqual({
      exit: 4,
      stderr: expect.stringMatching(/model-unsuitable: .*holds no representation/),
    });
  });

  test('says what it reads, to people and on its card', async () => {
    const { stdout } = await capturedRun('bundle', 'show', 'raw-pipeline');
    expect(stdout).toContain('it reads the words themselves');
    expect(stdout).not.toContain('noise');
    const card = await readFile('raw-pipeline/MODEL_CARD.md', 'utf8');
    expect(card).toContain('nothing bounds what its weights tell');
    expect(card).not.toContain('The noise is what hides');
  });

  test('must not claim a noise, nor lack one where there is a representation', async () => {
    const raw = await fieldsOf('raw/manifest.json');
    const { noise } = await fieldsOf('certified/manifest.json');
    const create = async (fields: object) => {
      await writeFile('facts.json', JSON.stringify(fields));
      const files = ['--manifest', 'facts.json', '--weights', 'raw/weights.safetensors'];
      return capturedRun('bundle', 'create', 'no', ...files, '--key', 'keys/private.pem');
    };
    for (const wrong of [
      { ...raw, noise },
      { ...raw, kind: 'representation' },
    ])
      expect(await create(wrong)).toMatchObject({
        exit: 4,
        stderr: expect.stringContaining('bundle-invalid'),
      });
  });

  test('is told from the directory of its run', async () => {
    const { exit, stderr } = await capturedRun(
      ...['deidentify', 'notes', 'clean', '--model', 'raw', '--trust', 'keys/public.pem'],
      ...['--embeddings', 'words.vec'],
    );
    expect({ exit, stderr }).toEqual({
      exit: 4,
      stderr: expect.stringMatching(/bundle-invalid: raw: .*a training run.*tacet bundle create/),
    });
  });
});

describe('--resume', () => {
  test.each([
    ['train raw', () => train('raw', 'nothing', '--resume')],
    ['train with seeds', () => train('raw', 'nothing', '--resume', '--seeds', '2')],
    [
      'audit run',
      () =>
        capturedRun(
          ...['audit', 'run', '--model', 'certified-representation', '--trust', 'keys/public.pem'],
          ...['--embeddings', 'words.vec', '--corpus', 'notes', '--out', 'nothing', '--resume'],
        ),
    ],
    [
      'train pooled',
      () =>
        capturedRun(
          ...['train', 'pooled', '--pool', 'http://127.0.0.1:1', '--snapshot', 'none'],
          ...['--model', 'certified-representation', '--trust', 'keys/public.pem'],
          ...['--embeddings', 'words.vec', '--token-file', 'none', '--out', 'nothing', '--resume'],
        ),
    ],
  ])('of %s refuses where nothing was begun, and makes nothing', async (_command, resume) => {
    expect(await resume()).toMatchObject({
      exit: 3,
      stderr: expect.stringMatching(
        /^tacet: file-not-found: nothing\S* holds no (run|audit) to resume: /m,
      ),
    });
    expect(await readdir('.')).not.toContain('nothing');
  });

  test('with seeds begins those that were not begun', async () => {
    expect(await train('raw', 'seeds', '--seeds', '1')).toMatchObject({ exit: 0 });
    const { exit, stdout } = await train('raw', 'seeds', '--seeds', '2', '--resume');
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /seeds\/seed-1\n {2}had come to its end\nseeds\/seed-2\n {2}supervised: best/,
    );
  });
});
