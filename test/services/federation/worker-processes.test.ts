import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKeyFiles, readPublicKey } from '../../../models/bundle/key-files.js';
import { Store } from '../../../pool-store/store.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import { smallCorpus } from '../cli/small-corpus.js';
import { endAfterTests } from '../left-over.js';
import { tacet } from '../serve-process.js';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));
const WORKERS = ['w1', 'w2', 'w3', 'w4', 'w5'];
const EPOCHS = 3;
const NOTES = 10;
const LONG_MS = 600_000;

let folder: string;
const at = (name: string) => path.join(folder, name);

beforeAll(async () => {
  folder = await smallCorpus('tacet-federation-', NOTES);
  const notes = (await readdir(at('notes'))).sort();
  for (const [i, worker] of WORKERS.entries()) {
    await mkdir(at(`${worker}/notes`), { recursive: true });
    for (const note of notes.filter((_, n) => n % WORKERS.length === i))
      await rename(at(`notes/${note}`), at(`${worker}/notes/${note}`));
  }
  const shared = ['--embeddings', at('words.vec'), '--scheme', 'synthetic'];
  const created = await tacet(
    ...['federation', 'create', '--data', at('data'), '--workers', WORKERS.join(',')],
    ...[...shared, '--epochs', String(EPOCHS)],
  );
  expect(created.code).toBe(0);
  const store = await Store.open(at('data'));
  for (const name of WORKERS) {
    const { publicKeyFile } = await createKeyFiles(at(`${name}/keys`));
    const raw = rawPublicKey(await readPublicKey(publicKeyFile));
    const { keyId } = await store.identities.request(name, raw);
    await store.identities.approve(keyId);
  }
  await store.close();
}, LONG_MS);
afterAll(() => rm(folder, { recursive: true }));

function start(args: readonly string[], token = ''): ChildProcess {
  const child = spawn(process.execPath, ['--no-warnings', MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', TACET_THREADS: '1', TACET_TOKEN: token },
  });
  const ended = endAfterTests(() => child.kill('SIGKILL'));
  child.once('exit', ended);
  return child;
}

test(
  'five workers over HTTP end with one network, though one of them is killed twice',
  async () => {
    const server = start([
      '--json',
      'federation',
      'serve',
      '--data',
      at('data'),
      '--port',
      '0',
      '--log-level',
      'warn',
    ]);
    const [address] = await once(createInterface({ input: server.stdout as never }), 'line');
    const { coordinator } = JSON.parse(address as string);
    const store = await Store.open(at('data'));
    const tokens = new Map<string, string>();
    for (const name of WORKERS)
      tokens.set(name, (await store.tokens.create({ role: 'institution', name })).token);
    const join = (name: string) =>
      start(
        [
          ...['federation', 'join', '--coordinator', coordinator, '--name', name],
          ...['--procedure', 'averaging'],
          ...['--key', at(`${name}/keys/private.pem`), '--corpus', at(`${name}/notes`)],
          ...[
            '--embeddings',
            at('words.vec'),
            '--scheme',
            'synthetic',
            '--home',
            at(`${name}/home`),
          ],
        ],
        tokens.get(name),
      );
    const status = async (child: ChildProcess) => (await once(child, 'exit'))[0];
    const others = WORKERS.slice(1).map((name) => status(join(name)));
    for (const epoch of [1, 2]) {
      const victim = join('w1');
      const lines = createInterface({ input: victim.stderr as never });
      for await (const line of lines) if (line.endsWith(`epoch ${epoch} sent`)) break;
      const dead = once(victim, 'exit');
      victim.kill('SIGKILL');
      await dead;
    }
    expect(await status(join('w1'))).toBe(0);
    expect(await Promise.all(others)).toEqual([0, 0, 0, 0]);
    const results = await Promise.all(
      WORKERS.map((name) => readFile(at(`${name}/home/weights.safetensors`))),
    );
    for (const result of results) expect(result.equals(results[0] as Buffer)).toBe(true);
    const taken = (await store.log.entries()).filter(
      ({ action }) => action === 'federation-update-accepted',
    );
    const pairs = taken.map(({ details }) => `${details.worker} ${details.epoch}`).sort();
    const expected = WORKERS.flatMap((name) => [1, 2, 3].map((epoch) => `${name} ${epoch}`));
    expect(pairs).toEqual(expected.sort());
    await store.close();
    const stopped = once(server, 'exit');
    server.kill('SIGTERM');
    expect((await stopped)[0]).toBe(0);
  },
  LONG_MS,
);
