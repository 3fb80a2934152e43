import { copyFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import { notesOfPairs } from '../../institution/notes.js';
import { publishedSite } from '../../institution/published-site.js';
import { capturedRun } from '../captured-run.js';

/** As where a pool was asked to take all that waits, and gave no answer. */
async function sendAll(home: string): Promise<void> {
  const ledger = await Ledger.open(home);
  const { segments } = ledger;
  const contribution = { digest: 'c'.repeat(64), envelope: Buffer.from('{}') };
  await ledger.exclusively(() => {
    segments.recordContribution(contribution, segments.pending());
    segments.recordSent(contribution.digest, true);
  }, undefined);
  ledger.close();
}

describe('the home that a command is given', () => {
  const site = publishedSite();
  beforeAll(async () => {
    process.env.XDG_DATA_HOME = join(site.root, 'data');
    await writeFile(
      join(site.root, 'notes.jsonl'),
      notesOfPairs()
        .map((note) => JSON.stringify(note))
        .join('\n'),
    );
  });

  const { at } = site;
  const model = () => [
    ...['--model', site.publisher.representation, '--trust', site.publisher.publicKeyFile],
    ...['--embeddings', site.publisher.embeddingsFile],
  ];
  const encode = (...options: string[]) =>
    capturedRun('--json', 'encode', at('notes.jsonl'), ...model(), '--without-phi', ...options);
  const missing = { exit: 3, stderr: expect.stringContaining('home-missing') };

  test('is refused by every command where it is not there, and nothing is made', async () => {
    const listed = await readdir(site.root);
    const nohome = ['--home', at('nohome')];
    const pool = ['--pool', 'http://127.0.0.1:9', '--key', site.publisher.privateKeyFile];
    expect(await encode(...nohome)).toMatchObject(missing);
    expect(await capturedRun('contribute', ...nohome, ...pool)).toMatchObject(missing);
    expect(await capturedRun('contribute', ...pool)).toMatchObject(missing);
    expect(await capturedRun('home', 'show', at('nohome'))).toMatchObject(missing);
    const serve = ['encoder', 'serve', '--port', '0', ...model(), ...nohome];
    expect(await capturedRun(...serve)).toMatchObject(missing);
    expect(await capturedRun('preflight', ...model(), ...nohome)).toMatchObject({
      exit: 4,
      stdout: expect.stringContaining('home-missing'),
    });
    expect(await readdir(site.root)).toEqual(listed);
  });

  test('is refused where it and the notes lie in one another, before anything is made', async () => {
    const folder = at('clinic');
    await mkdir(folder);
    await copyFile(at('notes.jsonl'), join(folder, 'notes.jsonl'));
    await symlink(folder, at('linked'));
    const refused = (message: RegExp) => ({ exit: 3, stderr: expect.stringMatching(message) });
    const notes = [folder, ...model(), '--without-phi'];
    for (const home of [folder, join(folder, 'home'), join(folder, '.h', 'home'), at('linked/h')])
      for (const named of [
        ['--new-home', home],
        ['--new-home', home, '--dry-run'],
      ])
        expect(await capturedRun('encode', ...notes, ...named)).toMatchObject(
          refused(/conflict: the home .* lies in the notes .*; name a home outside/),
        );
    const file = ['encode', join(folder, 'notes.jsonl'), ...model(), '--without-phi'];
    const among = refused(/conflict: the notes .* lie in the home/);
    expect(await capturedRun(...file, '--new-home', folder)).toMatchObject(among);
    const serve = ['encoder', 'serve', '--port', '0', ...model(), '--input', folder];
    expect(await capturedRun(...serve, '--new-home', join(folder, 'home'))).toMatchObject(
      refused(/conflict: the home/),
    );
    const looked = await capturedRun(
      ...['preflight', ...model(), '--notes', folder, '--new-home', join(folder, 'home')],
    );
    expect(looked.stdout).toMatch(/FAILED +ledger: conflict/);
    expect(await readdir(folder)).toEqual(['notes.jsonl']);
  });

  test('is made by encoding where it is told to, once', async () => {
    const made = await encode('--new-home', at('made'));
    expect(made).toMatchObject({ exit: 0, stderr: expect.stringContaining('a new ledger') });
    expect(await encode('--new-home', at('made'))).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('file-exists'),
    });
    const looked = await capturedRun('preflight', ...model(), '--new-home', at('made'));
    expect(looked).toMatchObject({ exit: 4, stdout: expect.stringContaining('file-exists') });
    const both = ['--home', at('made'), '--new-home', at('other')];
    expect(await capturedRun('preflight', ...model(), ...both)).toMatchObject({ exit: 2 });
    const again = await encode('--home', at('made'));
    expect(JSON.parse(again.stdout)).toMatchObject({ released: 0 });
    expect(again.stderr).not.toContain('a new ledger');
    const inWords = await capturedRun(
      'encode',
      at('notes.jsonl'),
      ...model(),
      '--without-phi',
      '--home',
      at('made'),
    );
    expect(inWords.stdout).toContain('entities   none: no note has a labelled one');
    expect(await encode('--home', at('made'), '--new-home', at('other'))).toMatchObject({
      exit: 2,
    });
  });

  test('is the user’s own where none is named', async () => {
    expect(await encode()).toMatchObject({ exit: 0 });
    expect(JSON.parse((await encode()).stdout)).toMatchObject({ released: 0 });
    expect(await readdir(at('data/tacet/home'))).toContain('ledger.db');
  });

  test('is never made under a policy that pins a ledger', async () => {
    const policy = {
      publisherKeys: [site.publisher.publicKeyFile],
      maxReleases: 1,
      minDocuments: 1,
    };
    await writeFile(at('policy.json'), JSON.stringify({ ...policy, ledger: 'f'.repeat(32) }));
    const pinned = ['--policy', at('policy.json'), '--embeddings', site.publisher.embeddingsFile];
    const refused = await capturedRun(
      ...['encode', at('notes.jsonl'), '--model', site.publisher.representation, ...pinned],
      ...['--new-home', at('pinned')],
    );
    expect(refused).toMatchObject(missing);
    expect(await readdir(site.root)).not.toContain('pinned');
  });

  test('is shown with its bounds, and adopted by its id', async () => {
    const { stdout } = await capturedRun('--json', 'home', 'show', at('made'));
    const { ledger, segments, waiting } = JSON.parse(stdout);
    expect(segments).toBe(1);
    expect(waiting).toEqual([
      expect.objectContaining({ digest: expect.stringMatching(/^[0-9a-f]{64}$/), isSent: false }),
    ]);
    const [{ digest, sentences }] = waiting;
    const shown = await capturedRun('home', 'show', at('made'));
    expect(shown.stdout).toContain('1 recorded, 1 of them waiting');
    expect(shown.stdout).toContain(`${digest}  ${sentences} sentences`);
    const state = process.env.XDG_STATE_HOME;
    process.env.XDG_STATE_HOME = at('another-machine');
    expect(await encode('--home', at('made'))).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('ledger-copied'),
    });
    const adopt = ['home', 'adopt', at('made'), '--ledger'];
    expect(await capturedRun(...adopt, 'f'.repeat(32))).toMatchObject({ exit: 4 });
    expect(await capturedRun(...adopt, ledger)).toMatchObject({ exit: 0 });
    await sendAll(at('made'));
    expect(await capturedRun('home', 'show', at('made'))).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('sent: whether a pool has it is not known'),
    });
    process.env.XDG_STATE_HOME = state;
  });
});
