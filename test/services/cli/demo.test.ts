import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Store } from '../../../pool-store/store.js';
import { browserLike } from '../http/pages/browser-like.js';
import { smallCorpus } from './small-corpus.js';

const COMMAND = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));
/** A minute, and several on a machine that is busy. */
const PATIENCE_MS = 600_000;
let folder = '';

beforeAll(async () => {
  folder = await smallCorpus('tacet-demo-', 108);
});

const demoArguments = (out: string) => [
  ...[COMMAND, 'demo', '--corpus', path.join(folder, 'notes'), '--scheme', 'synthetic'],
  ...['--language', 'en'],
  ...['--embeddings', path.join(folder, 'words.vec')],
  ...['--config', path.join(folder, 'config.json'), '--out', out],
];
const demoEnvironment = () => ({ ...process.env, TACET_CACHE: path.join(folder, 'cache') });

/** Whether it runs; one that has ended may wait for its new parent to notice. */
async function isRunning(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat !== undefined && !/\) [ZX] /.test(stat);
}

const onLinux = process.platform === 'linux' ? test : test.skip;

describe('tacet demo', () => {
  test(
    'runs the whole loop on a corpus, leaves what it says behind, and with --serve its servers running',
    async () => {
      const out = path.join(folder, 'out');
      const demo = spawn(process.execPath, [...demoArguments(out), '--serve'], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: demoEnvironment(),
      });
      const printed = text(demo.stdout);
      let said = '';
      for await (const chunk of demo.stderr) {
        said += chunk;
        if (/^ {2}operator +\S+\n/m.test(said)) break;
      }
      const address = (name: string) =>
        new RegExp(`^  ${name} +(http\\S+)`, 'm').exec(said)?.[1] ?? '';
      const token = /^ {2}operator +(\S+)$/m.exec(said)?.[1] ?? '';
      for (const name of ['registry', 'pool']) {
        const browser = browserLike(address(name));
        expect((await browser.submit('/login', { token })).status).toBe(303);
      }
      expect(await (await browserLike(address('encoder')).open('/models')).text()).toContain(
        'demo-pipeline',
      );
      const exit = once(demo, 'exit');
      demo.kill('SIGTERM');
      await exit;
      await expect(fetch(address('encoder'))).rejects.toThrow();
      const stdout = await printed;
      const rows = ['centralised', 'alone, mean', 'pseudonymised', 'pooled private'];
      for (const row of [
        ...rows,
        'its own notes and the public ones',
        '... and the pool’s vectors',
      ])
        expect(stdout).toContain(row);
      expect(stdout).toMatch(/limit of every attack on one release\s+\d/);
      expect(stdout).not.toMatch(/NaN|undefined|null/);
      expect(said).toMatch(/\[7\/7\]/);
      const result = JSON.parse(await readFile(path.join(out, 'demo.json'), 'utf8'));
      expect(result.shared).toHaveLength(3);
      for (const { bytes, sentences } of result.shared) {
        expect(bytes).toBeGreaterThan(0);
        expect(sentences).toBeGreaterThan(0);
      }
      const audit = JSON.parse(await readFile(path.join(out, 'audit', 'audit.json'), 'utf8'));
      for (const { trials, success } of audit.attacks) {
        expect(trials).toBeGreaterThan(0);
        expect(success.value).toBeGreaterThanOrEqual(0);
      }
      expect(audit.contradictions).toEqual([]);
      const store = await Store.open(path.join(out, 'servers'));
      const [model] = await store.models.list('demo-representation');
      expect(await store.audits.of(model?.digest ?? '')).toHaveLength(1);
      const kept = await store.models.list('own-pipeline');
      expect(kept).toEqual([]);
      await store.close();
      const clean = await readdir(path.join(out, 'unseen', 'deidentified'));
      const gold = await readdir(path.join(out, 'unseen', 'text'));
      expect(clean.length).toBe(gold.length);
    },
    PATIENCE_MS,
  );

  test('says before it trains where nothing could stand for the entities of an institution', async () => {
    const without = demoArguments(path.join(folder, 'refused')).filter(
      (argument) => !['--language', 'en'].includes(argument),
    );
    const options = { env: demoEnvironment() };
    await expect(promisify(execFile)(process.execPath, without, options)).rejects.toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/nothing that could stand for .*--language.*--entities keep/),
    });
  });

  onLinux(
    'leaves no server behind when a second signal ends it at once',
    async () => {
      const demo = spawn(process.execPath, demoArguments(path.join(folder, 'stopped')), {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: demoEnvironment(),
      });
      // Its servers are up.
      for await (const chunk of demo.stderr) if (/\[2\/7\]/.test(String(chunk))) break;
      const children = await readFile(`/proc/${demo.pid}/task/${demo.pid}/children`, 'utf8');
      const servers = children.trim().split(' ');
      expect(servers).toHaveLength(1);
      expect(await isRunning(servers[0] as string)).toBe(true);
      const exit = once(demo, 'exit');
      demo.kill('SIGTERM');
      demo.kill('SIGTERM');
      await exit;
      while (await isRunning(servers[0] as string)) await delay(20);
    },
    60_000,
  );
});
