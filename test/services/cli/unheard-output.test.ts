import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { ROOT } from '../../shared-data.js';
import { endAfterTests } from '../left-over.js';
import { createWorld } from '../world.js';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));
const LOG = new URL('../../../services/cli/server-log.js', import.meta.url).href;
/** Takes nothing, as a full disk. */
const FULL = '/dev/full';

/** Runs Node with a standard error that `stderr` says; returns its standard output and status. */
async function ranWith(stderr: number | 'pipe', ...args: readonly string[]) {
  const child = spawn(process.execPath, ['--no-warnings', ...args], {
    stdio: ['ignore', 'pipe', stderr],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  child.once(
    'exit',
    endAfterTests(() => child.kill('SIGKILL')),
  );
  child.stderr?.destroy();
  let stdout = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  const [status] = await once(child, 'close');
  return { status, stdout };
}

const isLinux = existsSync(FULL);
const onLinux = isLinux ? test : test.skip;

onLinux('a log on a full disk ends no server', async () => {
  const script = `
    const { openLog } = await import(${JSON.stringify(LOG)});
    const log = openLog('info');
    for (let i = 0; i < 3; i++) log.info({ i, filling: 'x'.repeat(400_000) }, 'said');
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
    for (let i = 0; i < 200; i++) log.info({ i, filling: 'x'.repeat(400_000) }, 'said');
    const grown = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before;
    console.log(grown < 40_000_000 ? 'lives' : 'grew by ' + grown);
  `;
  const ran = await ranWith(openSync(FULL, 'w'), '--input-type=module', '-e', script);
  expect(ran).toEqual({ status: 0, stdout: 'lives\n' });
});

test.each(isLinux ? (['a full disk', 'nobody'] as const) : (['nobody'] as const))(
  'a command whose standard error is read by %s comes to its end',
  async (reader) => {
    const world = await createWorld();
    const stderr = reader === 'nobody' ? 'pipe' : openSync(FULL, 'w');
    // What it says of its failure cannot be written; its status tells of it all the same.
    const args = ['store', 'verify', '--data', `${world.data}-elsewhere`];
    const { status } = await ranWith(stderr, MAIN, ...args);
    world.remove();
    expect(status).not.toBe(null);
    expect(status).toBe((await ranWith(openSync('/dev/null', 'w'), MAIN, ...args)).status);
  },
);

onLinux('a command whose output finds a full disk says so in a line', async () => {
  const child = spawn(process.execPath, ['--no-warnings', MAIN, '--json', '--version'], {
    stdio: ['ignore', openSync(FULL, 'w'), 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const [status] = await once(child, 'close');
  expect(JSON.parse(said).error).toEqual(expect.objectContaining({ code: 'disk-full' }));
  expect(status).toBe(JSON.parse(said).error.exit);
});

test('a command whose reader has enough of its output comes to its end', async () => {
  const child = spawn(process.execPath, ['--no-warnings', MAIN, '--help'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  child.stdout?.destroy();
  const [status] = await once(child, 'close');
  expect({ status, said }).toEqual({ status: 0, said: '' });
});

/** How a command ends that has more to say than its reader hears. */
async function endedUnheard(input: Readable, ...args: readonly string[]) {
  const child = spawn(process.execPath, ['--no-warnings', MAIN, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', TACET_BACKEND: 'cpu' },
  });
  child.once(
    'exit',
    endAfterTests(() => child.kill('SIGKILL')),
  );
  child.stdin.on('error', () => {});
  input.pipe(child.stdin);
  child.stdout.once('data', () => child.stdout.destroy());
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [status] = await once(child, 'close');
  input.destroy();
  return { status, said };
}

test('a command that would wait for a reader who has enough ends well', async () => {
  function* endless() {
    for (;;) yield 'ana\n'.repeat(1000);
  }
  const vectors = join(ROOT, 'test/models/embeddings/fixtures/tiny.bin');
  const ended = await endedUnheard(Readable.from(endless()), 'embeddings', 'vectors', vectors);
  expect(ended.status).toBe(0);
  expect(ended.said).not.toContain('tacet: ');
});
