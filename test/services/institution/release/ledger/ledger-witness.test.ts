import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Ledger } from '../../../../../services/institution/release/ledger/ledger.js';

const COPIED = { code: 'ledger-copied' };

describe('a ledger that was copied', () => {
  let root: string;
  let state: string | undefined;
  let segments = 0;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'tacet-copies-'));
    state = process.env.XDG_STATE_HOME;
    onMachine('here');
  });
  afterEach(async () => {
    process.env.XDG_STATE_HOME = state;
    await rm(root, { recursive: true });
  });

  /** Another machine has another state folder. */
  const onMachine = (name: string) => {
    process.env.XDG_STATE_HOME = join(root, `state-${name}`);
  };
  const at = (name: string) => join(root, name);
  const copy = (from: string, to: string) => cp(at(from), at(to), { recursive: true });
  const using = async <T>(name: string, work: (ledger: Ledger) => T | Promise<T>) => {
    const ledger = await Ledger.openOrMake(at(name));
    try {
      return await work(ledger);
    } finally {
      ledger.close();
    }
  };
  const release = (ledger: Ledger) =>
    ledger.exclusively(() =>
      ledger.recordSegment(
        {
          digest: (segments++).toString(16).padStart(64, '0'),
          model: 'a'.repeat(64),
          scheme: 'b'.repeat(64),
          sentences: 1,
          tokens: 2,
          bytes: 3,
          certified: null,
          inventory: null,
          keptTypes: '',
          copies: 1,
        },
        [{ alike: new Uint8Array(0), hash: ledger.key.hashSentence([`${segments}`]), charges: [] }],
      ),
    );
  const idOf = (name: string) => using(name, ({ id }) => id);

  test('is refused beside the home that it was copied from, which goes on', async () => {
    await using('home', release);
    await copy('home', 'copy');
    await expect(using('copy', release)).rejects.toMatchObject({
      ...COPIED,
      message: expect.stringContaining(at('home')),
    });
    await using('home', release);
  });

  test('is refused although nothing was released before it was copied', async () => {
    await using('home', () => {});
    await copy('home', 'copy');
    await expect(using('copy', release)).rejects.toMatchObject(COPIED);
    onMachine('there');
    await expect(using('copy', release)).rejects.toMatchObject(COPIED);
  });

  test('goes on where it was moved to', async () => {
    await using('home', release);
    await rename(at('home'), at('moved'));
    await using('moved', release);
    await rename(at('moved'), at('home'));
    await using('home', release);
    expect(await using('home', (ledger) => ledger.generation().generation)).toBe(3);
  });

  test('is refused where it comes from a backup that is older than a release', async () => {
    await using('home', release);
    await copy('home', 'backup');
    await using('home', release);
    await using('home', release);
    await rm(at('home'), { recursive: true });
    await rename(at('backup'), at('home'));
    await expect(using('home', release)).rejects.toMatchObject({
      ...COPIED,
      message: expect.stringMatching(/last 2 segments.*--forget-releases/),
    });
  });

  test('is accepted from a backup that is as new as the last release', async () => {
    await using('home', release);
    await copy('home', 'backup');
    await rm(at('home'), { recursive: true });
    await rename(at('backup'), at('home'));
    await using('home', release);
  });

  test('releases in one of two places alone, used by turns where neither sees the other', async () => {
    await using('home', release);
    await copy('home', 'copy');
    await rename(at('home'), at('unplugged'));
    await using('copy', release);
    await rename(at('copy'), at('unplugged-too'));
    await rename(at('unplugged'), at('home'));
    await expect(using('home', release)).rejects.toMatchObject(COPIED);
    await rename(at('home'), at('unplugged'));
    await rename(at('unplugged-too'), at('copy'));
    await using('copy', release);
  });

  test('stops the process that has it open once another copy has released', async () => {
    await using('home', release);
    await using('home', async (open) => {
      await copy('home', 'copy');
      await rename(at('home'), at('renamed'));
      await using('copy', release);
      await expect(release(open)).rejects.toMatchObject(COPIED);
      expect(open.generation().generation).toBe(1);
    });
  });

  test('is refused on a machine that does not know it, until a person adopts it by its id', async () => {
    await using('home', release);
    const id = await idOf('home');
    await copy('home', 'brought');
    onMachine('there');
    await expect(using('brought', release)).rejects.toMatchObject({
      ...COPIED,
      message: expect.stringContaining('tacet home adopt'),
    });
    await expect(Ledger.adopt(at('brought'), 'f'.repeat(32), false)).rejects.toMatchObject({
      code: 'ledger-foreign',
    });
    await Ledger.adopt(at('brought'), id, false);
    await using('brought', release);
  });

  test('is adopted although it forgets releases only where a person says so; then the other is refused', async () => {
    await using('home', release);
    const id = await idOf('home');
    await copy('home', 'backup');
    await using('home', release);
    await rename(at('home'), at('lost'));
    await expect(Ledger.adopt(at('backup'), id, false)).rejects.toMatchObject(COPIED);
    await Ledger.adopt(at('backup'), id, true);
    await using('backup', release);
    await rename(at('backup'), at('elsewhere'));
    await expect(using('lost', release)).rejects.toMatchObject(COPIED);
    await rename(at('elsewhere'), at('backup'));
    await using('backup', release);
  });

  test('is adopted where what is known of it is damaged only where a person says so', async () => {
    await using('home', release);
    const id = await idOf('home');
    await copy('home', 'backup');
    await using('home', release);
    await rename(at('home'), at('lost'));
    await writeFile(at(`state-here/tacet/ledgers/${id}.json`), '{"home":');
    await expect(Ledger.adopt(at('backup'), id, false)).rejects.toMatchObject({
      ...COPIED,
      message: expect.stringContaining('--forget-releases'),
    });
    await Ledger.adopt(at('backup'), id, true);
    await using('backup', release);
  });

  test('cannot be adopted where there is none', async () => {
    await expect(Ledger.adopt(at('nohome'), 'f'.repeat(32), false)).rejects.toMatchObject({
      code: 'home-missing',
    });
  });
});
