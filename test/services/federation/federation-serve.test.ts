import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Store } from '../../../pool-store/store.js';
import { parseFederationPlan } from '../../../proto/federation-plan.js';
import { PATHS } from '../../../proto/paths.js';
import { FederationFolder } from '../../../services/federation/coordinator-state.js';
import { endAfterTests } from '../left-over.js';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));

let data: string;
beforeEach(() => {
  data = mkdtempSync(path.join(tmpdir(), 'tacet-federation-serve-'));
});
afterEach(() => rmSync(data, { recursive: true }));

test('the coordinator refuses more requests a minute than it is told to take', async () => {
  const store = await Store.open(data);
  const { token } = await store.tokens.create({ role: 'institution', name: 'north' });
  await store.close();
  const plan = parseFederationPlan({
    ...{ format: 1, procedure: 'averaging', network: 'festag', seed: 1, epochs: 1, weights: 1 },
    ...{ scheme: 'a'.repeat(64), embeddings: 'toy', workers: ['north'] },
    ...{ roundSeconds: null, guarantee: null },
  });
  await new FederationFolder(data).create(plan, Float32Array.of(0));
  const child = spawn(
    process.execPath,
    [
      ...['--no-warnings', MAIN, '--json', 'federation', 'serve', '--data', data, '--port', '0'],
      ...['--requests-per-minute', '2', '--log-level', 'silent'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  child.once(
    'exit',
    endAfterTests(() => child.kill('SIGKILL')),
  );
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { coordinator } = JSON.parse(line);
  const ask = async () =>
    (
      await fetch(`${coordinator}${PATHS.federationTask}`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status;
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
});
