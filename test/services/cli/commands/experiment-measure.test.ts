import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ManifestFields } from '../../../../models/bundle/manifest.js';
import { withRunLock } from '../../../../services/workflows/train/run-lock.js';
import type { Measurements } from '../../../../study/runs/measurements.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite } from '../small-corpus.js';

const site = corpusSite(18, 6);
const { at } = site;

beforeAll(async () => {
  for (const kind of ['raw', 'pseudonymized', 'certified']) {
    const { exit } = await capturedRun(
      ...['train', kind, at('notes'), '--out', at(kind), '--config', at('config.json')],
      ...['--embeddings', at('words.vec'), '--scheme', 'synthetic', '--language', 'ES'],
    );
    expect(exit).toBe(0);
  }
}, 240_000);

/** A representation that reads characters, on word vectors that lack a third of the words: `fewer.vec`. */
async function trainCharacters(out: string, form: object) {
  const [, ...vectors] = (await readFile(at('words.vec'), 'utf8')).trimEnd().split('\n');
  const fewer = vectors.filter((_, i) => i % 3 > 0);
  const header = `${fewer.length} ${(vectors[0] as string).split(' ').length - 1}`;
  await writeFile(at('fewer.vec'), `${[header, ...fewer].join('\n')}\n`);
  const config = JSON.parse(await readFile(at('config.json'), 'utf8'));
  const representation = { ...config.representation, characters: 'cnn', ...form };
  await writeFile(at('characters.json'), JSON.stringify({ ...config, representation }));
  const { exit } = await capturedRun(
    ...['train', 'certified', at('notes'), '--out', at(out)],
    ...['--config', at('characters.json'), '--language', 'es'],
    ...['--embeddings', at('fewer.vec'), '--scheme', 'synthetic'],
  );
  expect(exit).toBe(0);
}

const measure = (...args: string[]) =>
  capturedRun(
    ...['experiment', 'measure', '--corpus', at('notes'), '--held-out', at('unseen')],
    ...['--embeddings', at('words.vec'), '--scheme', 'synthetic', '--trials', '5', ...args],
  );

const found = async (run: string) =>
  JSON.parse(await readFile(at(`${run}/measurements.json`), 'utf8')) as Measurements;

test('a manifest says what a representation was trained on, and how well it does', async () => {
  const text = await readFile(at('certified/manifest.json'), 'utf8');
  const { training, scores } = JSON.parse(text) as ManifestFields;
  expect(training).toMatchObject({ corpus: 'notes', language: 'es', objective: 'certified' });
  expect(training.documents).toBe(12 - Number(training['validation documents']));
  for (const count of ['sentences', 'validation sentences', 'seed'])
    expect(training[count]).toBeGreaterThan(0);
  expect(training['corpus SHA-256']).toMatch(/^[0-9a-f]{64}$/);
  for (const name of [
    'binary token F1, validation notes',
    'limit of every attack on pairs, validation notes',
  ]) {
    expect(scores[`${name}, 95 % interval from`]).toBeLessThanOrEqual(scores[name] as number);
    expect(scores[`${name}, 95 % interval to`]).toBeGreaterThanOrEqual(scores[name] as number);
  }
  expect(scores['certified validation loss']).toBeGreaterThan(0);
  expect(text).not.toContain(site.folder);
});

describe('tacet experiment measure', () => {
  test('measures a representation in every way, and a run without one as far as that goes', async () => {
    expect((await measure(at('raw'), at('certified'))).exit).toBe(0);
    const { own, facts, released, bounds, adversary, ...rest } = await found('certified');
    expect(own?.documents).toBe(6);
    expect(facts?.phases.map(({ stage }) => stage)).toEqual([...['P1', 'certified', 'adversary']]);
    expect(facts?.phiTokens).toBeGreaterThan(0);
    expect(released?.sentences).toBe(
      (facts?.sentences.train ?? 0) + (facts?.sentences.validation ?? 0),
    );
    expect(bounds?.certified.bound.value).toBeGreaterThanOrEqual(0.5);
    expect(bounds?.certified.maximum).toBeGreaterThanOrEqual(bounds?.certified.median ?? 1);
    expect(adversary?.learned.documents).toBe(facts?.documents.train);
    expect(adversary?.unseen.documents).toBeLessThanOrEqual(6);
    expect(adversary?.last?.unseen.trials).toBe(adversary?.unseen.trials);
    expect(adversary?.last?.learned.trials).toBe(adversary?.learned.trials);
    expect(Object.keys(rest['known-noise']?.attacks ?? {})).toHaveLength(3);
    const raw = await found('raw');
    expect(raw.facts?.immovable).toBeNull();
    expect(raw.own?.binaryToken.f1.value).toBeGreaterThanOrEqual(0);
    expect(raw.bounds ?? raw.released ?? raw.adversary).toBeUndefined();
  }, 240_000);

  test('measures what pseudonymised notes give away', async () => {
    expect((await measure(at('pseudonymized'), '--only', 'pseudonyms')).exit).toBe(0);
    const { pseudonyms, bounds } = await found('pseudonymized');
    const { 'pseudonym-twins': twins, 'pseudonym-word': word } = pseudonyms?.attacks ?? {};
    expect(bounds).toBeUndefined();
    expect(twins.success.value).toBeGreaterThan(0.5);
    expect(twins.success).toEqual(twins.limit);
    expect(word.success.value).toBeGreaterThan(word.chance);
    expect(word.trials).toBe(5);
  });

  test('bounds words without a vector among public names too, where characters are read', async () => {
    await trainCharacters('characters', {});
    const only = ['--embeddings', at('fewer.vec'), '--only', 'public-names'];
    expect((await measure(at('characters'), ...only)).exit).toBe(0);
    const { 'public-names': names } = await found('characters');
    expect(names?.places).toBeGreaterThan(0);
    expect(Object.values(names?.words ?? {}).every((count) => count >= 20)).toBe(true);
    for (const { bound, documents, maximum } of [names?.madeUp, names?.public].flatMap((each) =>
      each ? [each] : [],
    )) {
      expect(documents).toBeLessThanOrEqual(6);
      expect(bound.value).toBeGreaterThan(0.5);
      expect(maximum).toBeGreaterThanOrEqual(bound.value);
    }
    expect(names?.public).not.toEqual(names?.madeUp);
    expect((await found('certified'))['public-names']).toBeUndefined();
    await rm(at('characters/inventory.json'));
    const without = await measure(at('characters'), ...only, '--again');
    expect(without.stderr).toContain('no public-names, since no word without a vector');
  }, 120_000);

  test('says that public names have no limit where the noise depends on the input', async () => {
    await trainCharacters('characters-dependent', { noise: 'dependent' });
    const { exit, stderr } = await measure(
      ...[at('characters-dependent'), '--embeddings', at('fewer.vec'), '--only', 'public-names'],
    );
    expect(exit).toBe(0);
    expect(stderr).toContain('no public-names, since its noise depends on the input');
  }, 60_000);

  test('bounds by the looser inequality where the noise depends on the input, and attacks nothing', async () => {
    const config = JSON.parse(await readFile(at('config.json'), 'utf8'));
    const dependent = { ...config.representation, noise: 'dependent' };
    await writeFile(at('dependent.json'), JSON.stringify({ ...config, representation: dependent }));
    await capturedRun(
      ...['train', 'certified', at('notes'), '--out', at('dependent')],
      ...['--config', at('dependent.json')],
      ...['--embeddings', at('words.vec'), '--scheme', 'synthetic'],
    );
    const { exit, stderr } = await measure(at('dependent'), '--skip', 'released,own');
    expect(exit).toBe(0);
    expect(stderr).toContain('no adversary, since its noise depends on the input');
    const { bounds, adversary, 'known-noise': attacks } = await found('dependent');
    expect(bounds?.inequality).toBe('bhattacharyya');
    expect(bounds?.entities ?? adversary ?? attacks).toBeUndefined();
    const { certified } = (await found('certified')).bounds ?? {};
    expect(certified && bounds?.certified).toMatchObject({
      pairs: certified?.pairs,
      documents: certified?.documents,
      draws: certified?.draws,
    });
    const { bound, median, maximum } = bounds?.certified ?? {};
    expect(bound?.value).toBeGreaterThan(0.5);
    expect(maximum).toBeGreaterThanOrEqual(median ?? 1);
    const again = await measure(at('dependent'), '--only', 'bounds', '--again');
    expect(again.exit).toBe(0);
    expect((await found('dependent')).bounds?.certified).toEqual(bounds?.certified);
  }, 120_000);

  test('leaves alone what was measured, and keeps neither vectors nor checkpoints', async () => {
    const before = await readFile(at('certified/measurements.json'));
    const { exit, stderr } = await measure(at('certified'));
    expect(exit).toBe(0);
    expect(stderr).not.toMatch(/ in \d+ s/);
    expect(await readFile(at('certified/measurements.json'))).toEqual(before);
    const kept = await readdir(at('certified/measuring'), { recursive: true });
    expect(kept.filter((name) => /checkpoints|float16/.test(name))).toEqual([]);
  });

  test('measures again what it is told to, and that alone', async () => {
    const before = await found('certified');
    await measure(at('certified'), '--again', '--only', 'own');
    const { own, ...rest } = await found('certified');
    expect(own?.binaryToken).toEqual(before.own?.binaryToken);
    expect(own?.seconds).not.toBe(before.own?.seconds);
    expect({ ...rest, own: before.own }).toEqual(before);
  });

  test('leaves pairs out, and says why, where held-out notes have no PHI to move', async () => {
    for (const run of ['certified', 'pseudonymized'])
      await cp(at(run), at(`${run}-bare`), { recursive: true });
    for (const run of ['certified-bare', 'pseudonymized-bare'])
      await rm(at(`${run}/measurements.json`), { force: true });
    await writeFile(at('bare.jsonl'), JSON.stringify({ id: 'bare', text: 'none.', spans: [] }));
    const { exit, stderr } = await measure(
      ...[at('certified-bare'), at('pseudonymized-bare'), '--held-out', at('bare.jsonl')],
      ...['--skip', 'own,released'],
    );
    expect(exit).toBe(0);
    for (const name of ['bounds', 'known-noise', 'adversary', 'pseudonyms'])
      expect(stderr).toContain(`no ${name}, since no held-out sentence has PHI that can move`);
    const { bounds, 'known-noise': attacks, adversary } = await found('certified-bare');
    const { pseudonyms } = await found('pseudonymized-bare');
    expect(bounds ?? attacks ?? adversary ?? pseudonyms).toBeUndefined();
  }, 60_000);

  test('refuses notes that the run has seen, and others than it was measured on', async () => {
    const seen = await measure(at('raw'), '--held-out', at('notes'), '--again');
    expect(seen).toMatchObject({ exit: 3, stderr: expect.stringContaining('hold others out') });
    const others = await measure(at('raw'), '--documents', '3');
    expect(others).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('checkpoint-invalid'),
    });
  });

  test('refuses other training notes than those of the run', async () => {
    const { exit, stderr } = await measure(at('raw'), '--corpus', at('unseen'));
    expect(exit).toBe(3);
    expect(stderr).toContain('another corpus');
  });

  test('refuses a run that another process works on', async () => {
    const { exit, stderr } = await withRunLock(at('raw'), () => measure(at('raw')));
    expect(exit).toBe(1);
    expect(stderr).toContain('run-busy');
  });

  test('goes on with the others where one of several runs cannot be measured', async () => {
    await cp(at('raw'), at('twin'), { recursive: true });
    await rm(at('twin/networks.json'));
    const { exit, stderr, stdout } = await measure(at('twin'), at('raw'));
    expect(exit).toBe(1);
    expect(stderr).toContain('1 of 2 runs could not be measured');
    expect(stdout).toContain(`${at('raw')}  own HIPAA F1`);
  });

  test('names the field of a measurements.json that is wrong', async () => {
    await cp(at('raw'), at('broken'), { recursive: true });
    const changed = { ...(await found('raw')), own: { documents: -1 } };
    await writeFile(at('broken/measurements.json'), JSON.stringify(changed));
    const { exit, stderr } = await measure(at('broken'));
    expect(exit).toBe(2);
    expect(stderr).toMatch(/measurements\.json: own/);
  });
});
