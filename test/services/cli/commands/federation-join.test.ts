import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { withRunLock } from '../../../../services/workflows/train/run-lock.js';
import { capturedRun } from '../captured-run.js';

test('a home of a worker serves one process at a time, so that no epoch has noise of two', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'tacet-worker-'));
  const join = () =>
    capturedRun(
      ...['federation', 'join', '--coordinator', 'http://127.0.0.1:1', '--name', 'north'],
      ...['--procedure', 'averaging', '--key', path.join(home, 'none.pem'), '--corpus', 'notes'],
      ...['--embeddings', 'wink', '--scheme', 'synthetic', '--home', home],
    );
  const locked = await withRunLock(home, join);
  expect(locked.exit).toBe(1);
  expect(locked.stderr).toContain(`another process works in ${home}`);
  expect((await join()).stderr).toContain('none.pem');
  await rm(home, { recursive: true });
});
