import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { capturedRun } from './services/cli/captured-run.js';

const FOLDER = fileURLToPath(new URL('../../representations', import.meta.url));
const names = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const place = mkdtempSync(path.join(tmpdir(), 'tacet-ready-'));
afterAll(() => rmSync(place, { recursive: true }));

describe.each(names)('the representation that is ready for %s', (name) => {
  const bundle = path.join(FOLDER, name, 'bundle');
  const publisher = path.join(FOLDER, name, 'publisher.pem');

  test('is signed by the key beside it, and says what limit it was measured to have', async () => {
    const { exit, stdout } = await capturedRun(
      ...['--json', 'bundle', 'verify', bundle, '--trust', publisher],
    );
    expect({ exit, stdout }).toMatchObject({ exit: 0 });
    const shown = await capturedRun('--json', 'bundle', 'show', bundle);
    expect(shown.stdout).toMatch(/limit of every attack on pairs, held-out notes/);
  });

  test('encodes notes of another label scheme at once', async () => {
    const notes = path.join(place, `${name}.jsonl`);
    const made = ['corpus', 'generate', notes, '--documents', '12', '--seed', '9'];
    expect((await capturedRun(...made)).exit).toBe(0);
    const { exit, stdout, stderr } = await capturedRun(
      ...['--json', 'encode', notes, '--model', bundle, '--trust', publisher],
      ...['--embeddings', 'wink', '--new-home', path.join(place, `home-${name}`)],
    );
    expect({ exit, stderr }).toMatchObject({ exit: 0 });
    const { documents, replaced, released } = JSON.parse(stdout);
    expect(documents).toBe(12);
    expect(replaced).toBeGreaterThan(20);
    expect(released).toBeGreaterThan(50);
  });
});
