import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { capturedRun } from '../captured-run.js';
import { corpusSite } from '../small-corpus.js';

const site = corpusSite(24, 4);
const { at } = site;
const before = process.env.XDG_DATA_HOME;

beforeAll(async () => {
  process.env.XDG_DATA_HOME = at('data');
  const text = 'Seen by Dr. Zacarias Zabulon of Zanzibar Infirmary.';
  const spans = [
    { start: 12, end: 28, label: 'DOCTOR' },
    { start: 32, end: 50, label: 'HOSPITAL' },
  ];
  await writeFile(at('notes/planted.jsonl'), `${JSON.stringify({ text, spans })}\n`);
  const { exit, stdout } = await capturedRun(
    ...['pipeline', 'make', 'es', at('notes'), '--embeddings', at('words.vec')],
    ...['--scheme', 'synthetic', '--config', at('config.json')],
  );
  expect([exit, stdout]).toEqual([0, expect.stringMatching(/--language es uses it from now on$/m)]);
});
afterAll(() => {
  if (before === undefined) delete process.env.XDG_DATA_HOME;
  else process.env.XDG_DATA_HOME = before;
});

const FOLDER = 'data/tacet/pipelines/es';

describe('a pipeline that is ready', () => {
  test('is used where none is named, and said to be', async () => {
    const { exit, stdout, stderr } = await capturedRun(
      ...['--json', 'deidentify', at('unseen'), at('clean'), '--language', 'es'],
    );
    expect(exit).toBe(0);
    expect(stderr).toContain(`with the pipeline in ${at(FOLDER)}/bundle`);
    expect(JSON.parse(stdout).documents).toBe(4);
    expect(await readdir(at('clean'))).toHaveLength(4);
  });

  test('serves the regions of its language, and surrogates are refused where there are none', async () => {
    const regional = await capturedRun(
      ...[
        'deidentify',
        at('unseen'),
        at('regional'),
        '--language',
        'es-MX',
        '--policy',
        'surrogate',
      ],
    );
    expect(regional.exit).toBe(0);
    const { exit, stderr } = await capturedRun(
      ...['deidentify', at('unseen'), at('other'), '--language', 'fr', '--policy', 'surrogate'],
    );
    expect([exit, stderr]).toEqual([2, expect.stringContaining('there are none in fr')]);
  });

  test('says what it is', async () => {
    const { stdout } = await capturedRun('--json', 'pipeline', 'show', 'es');
    expect(JSON.parse(stdout)).toMatchObject({
      bundle: `${at(FOLDER)}/bundle`,
      embeddings: at('words.vec'),
      manifest: { name: 'ready-es', kind: 'pipeline' },
    });
  });

  test('holds no entity of the notes, which may be of a house: none in its files, none to stand for another', async () => {
    const files = await readdir(at(FOLDER), { recursive: true, withFileTypes: true });
    for (const file of files.filter((each) => each.isFile())) {
      const bytes = await readFile(`${file.parentPath}/${file.name}`, 'latin1');
      expect([file.name, /zacarias|zabulon|zanzibar/i.test(bytes)]).toEqual([file.name, false]);
    }
    const inventory = JSON.parse(await readFile(at(`${FOLDER}/bundle/inventory.json`), 'utf8'));
    expect(inventory.types.DOCTOR.length).toBeGreaterThan(0);
    const kinds = inventory.sources.map(({ kind }: { kind: string }) => kind);
    expect(kinds).not.toContain('corpus');
  });

  test('decides together with another of its labels', async () => {
    const deidentified = async (out: string, ...more: string[]) => {
      const { exit, stderr } = await capturedRun(
        ...['deidentify', at('unseen'), at(out), '--language', 'es', '--format', 'jsonl'],
        ...['--policy', 'annotate', ...more],
      );
      expect(exit).toBe(0);
      const opened = stderr.match(/^ready-es 1\.0\.0: no registry is known/gm) ?? [];
      return { text: await readFile(at(out), 'utf8'), opened: opened.length };
    };
    // With itself it decides as alone.
    const { text, opened } = await deidentified('alone.jsonl');
    expect(opened).toBe(1);
    const twice = await deidentified('twice.jsonl', '--beside', at(FOLDER));
    expect(twice).toEqual({ text, opened: 2 });
  });

  test('does not decide with one of other labels', async () => {
    const { exit, stderr } = await capturedRun(
      ...['deidentify', at('unseen'), at('mixed'), '--language', 'es'],
      ...['--beside', 'pipelines/es'],
    );
    expect([exit, stderr]).toEqual([4, expect.stringContaining('labels of phi-categories')]);
    const none = await capturedRun(
      ...['deidentify', at('unseen'), at('mixed'), '--language', 'es', '--beside', at('nowhere')],
    );
    expect([none.exit, none.stderr]).toEqual([3, expect.stringContaining('nowhere')]);
  });

  test('is not replaced', async () => {
    const { exit, stderr } = await capturedRun(
      ...['pipeline', 'make', 'es', at('notes'), '--embeddings', at('words.vec')],
      ...['--scheme', 'synthetic', '--config', at('config.json')],
    );
    expect([exit, stderr]).toEqual([3, expect.stringContaining('move it away')]);
  });

  test('is made where no bundle or keys of others are', async () => {
    for (const name of ['bundle', 'keys']) {
      await mkdir(at(`held-${name}/${name}`), { recursive: true });
      await writeFile(at(`held-${name}/${name}/kept`), 'kept');
      const { exit, stderr } = await capturedRun(
        ...['pipeline', 'make', 'es', at('notes'), '--embeddings', at('words.vec')],
        ...['--scheme', 'synthetic', '--config', at('config.json'), '--out', at(`held-${name}`)],
      );
      expect([exit, stderr]).toEqual([3, expect.stringMatching(/file-exists: .*--out/)]);
      expect(await readdir(at(`held-${name}`))).toEqual([name]);
      expect(await readFile(at(`held-${name}/${name}/kept`), 'utf8')).toBe('kept');
    }
  });

  test('that is made elsewhere is used where it is named, by the command that it prints', async () => {
    const { exit, stdout } = await capturedRun(
      ...['pipeline', 'make', 'de', at('notes'), '--embeddings', at('words.vec')],
      ...['--scheme', 'synthetic', '--config', at('config.json'), '--out', at('made-there')],
    );
    expect([exit, stdout]).toEqual([0, expect.not.stringContaining('from now on')]);
    const [, words = ''] = /where it is named: tacet (.*)$/m.exec(stdout) ?? [];
    const places = new Map([
      ['NOTES', at('unseen')],
      ['OUT', at('named')],
    ]);
    const command = words.split(' ').map((word) => places.get(word) ?? word);
    expect(await capturedRun(...command)).toMatchObject({ exit: 0 });
    const unnamed = ['deidentify', at('unseen'), at('unnamed'), '--language', 'de'];
    expect(await capturedRun(...unnamed)).toMatchObject({ exit: 3 });
  });

  test('is finished by the next call where one was cut off before it was ready', async () => {
    await rm(at(`${FOLDER}/pipeline.json`));
    await writeFile(at(`${FOLDER}/bundle/left-behind`), '');
    const { exit } = await capturedRun(
      ...['pipeline', 'make', 'es', at('notes'), '--embeddings', at('words.vec')],
      ...['--scheme', 'synthetic', '--config', at('config.json')],
    );
    expect(exit).toBe(0);
    const clean = await capturedRun(
      ...['deidentify', at('unseen'), at('again'), '--language', 'es'],
    );
    expect(clean.exit).toBe(0);
  });

  test('is verified: a changed byte is refused', async () => {
    await writeFile(at(`${FOLDER}/bundle/MODEL_CARD.md`), 'another card');
    const { exit, stderr } = await capturedRun(
      ...['deidentify', at('unseen'), at('third'), '--language', 'es'],
    );
    expect([exit, stderr]).toEqual([4, expect.stringContaining('bundle-digest')]);
  });

  test('is made of notes where there is none', async () => {
    const advice = expect.stringContaining('tacet pipeline make fr');
    const shown = await capturedRun('pipeline', 'show', 'fr');
    expect([shown.exit, shown.stderr]).toEqual([3, advice]);
    const used = await capturedRun(
      ...['deidentify', at('unseen'), at('fifth'), '--language', 'fr'],
    );
    expect([used.exit, used.stderr]).toEqual([3, advice]);
  });

  test('needs its own trust and embeddings where another is named', async () => {
    const { exit, stderr } = await capturedRun(
      ...['deidentify', at('unseen'), at('fourth'), '--model', at('elsewhere')],
    );
    expect([exit, stderr]).toEqual([2, expect.stringContaining('go together')]);
  });
});
