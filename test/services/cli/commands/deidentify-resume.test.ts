import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { notesOfDistinctLengths } from '../../institution/notes.js';
import { publishedSite } from '../../institution/published-site.js';
import { capturedRun } from '../captured-run.js';

const MAIN = fileURLToPath(new URL('../../../../services/cli/main.js', import.meta.url));
const NOTES = notesOfDistinctLengths(60);
/** Several processes a test, on a machine that may be busy. */
const PATIENCE_MS = 300_000;

describe('a de-identification that was interrupted', () => {
  const site = publishedSite();
  beforeAll(async () => {
    const lines = NOTES.map((note) => JSON.stringify(note));
    await writeFile(join(site.root, 'notes.jsonl'), lines.join('\n'));
  });

  const command = (output: string, ...more: string[]) => [
    ...['--json', 'deidentify', join(site.root, 'notes.jsonl'), join(site.root, output)],
    ...['--model', site.publisher.pipeline, '--trust', site.publisher.publicKeyFile],
    ...['--embeddings', site.publisher.embeddingsFile, ...more],
  ];
  const journalOf = (output: string) => join(site.root, `${output}.unfinished`, 'journal');
  /** Kills the command with SIGKILL once so many lines stand in its journal. */
  const killed = async (lines: number, output: string, ...more: string[]) => {
    const child = spawn(process.execPath, ['--no-warnings', MAIN, ...command(output, ...more)], {
      stdio: 'ignore',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const exited = once(child, 'exit');
    const written = () =>
      existsSync(journalOf(output))
        ? readFileSync(journalOf(output), 'utf8').split('\n').length
        : 0;
    while (child.exitCode === null && written() <= lines) await delay(1);
    child.kill('SIGKILL');
    expect((await exited)[1]).toBe('SIGKILL');
  };
  const contents = async (output: string): Promise<Record<string, string>> => {
    const path = join(site.root, output);
    if (!(await stat(path)).isDirectory()) return { '': await readFile(path, 'utf8') };
    const names = await readdir(path);
    const texts = await Promise.all(names.map((name) => readFile(join(path, name), 'utf8')));
    return Object.fromEntries(names.map((name, i) => [name, texts[i] as string]));
  };

  test.each(['text', 'brat', 'jsonl'])(
    'is gone on with after a kill, in %s',
    async (format) => {
      const options = ['--format', format];
      const [whole, broken] = [`whole-${format}`, `broken-${format}`];
      expect(await capturedRun(...command(whole, ...options))).toMatchObject({ exit: 0 });
      const expected = await contents(whole);

      await killed(5, broken, ...options);
      if (format === 'jsonl') expect(existsSync(join(site.root, broken))).toBe(false);
      else expect(expected).toMatchObject(await contents(broken));
      await killed(21, broken, ...options, '--resume');
      // As if the kill had come between two bytes.
      appendFileSync(journalOf(broken), '{"id":"cut o');
      const { exit, stdout } = await capturedRun(...command(broken, ...options, '--resume'));
      expect(exit).toBe(0);
      const { documents, done } = JSON.parse(stdout);
      expect(documents + done).toBe(NOTES.length);
      expect(done).toBeGreaterThanOrEqual(10);
      expect(await contents(broken)).toEqual(expected);
      expect(existsSync(join(site.root, `${broken}.unfinished`))).toBe(false);
      const [first = ''] = Object.keys(expected);
      expect((await stat(join(site.root, broken, first))).mode & 0o777).toBe(0o600);
    },
    PATIENCE_MS,
  );

  test(
    'is not begun anew in silence, nor gone on with in another way, nor where there is none',
    async () => {
      await killed(3, 'half', '--format', 'jsonl');
      expect(await capturedRun(...command('half', '--format', 'jsonl'))).toMatchObject({
        exit: 3,
        stderr: expect.stringMatching(/file-exists.*--resume/),
      });
      const masked = command('half', '--format', 'jsonl', '--policy', 'mask', '--resume');
      expect(await capturedRun(...masked)).toMatchObject({
        exit: 3,
        stderr: expect.stringMatching(/conflict.*another policy/),
      });
      expect(await capturedRun(...command('none', '--resume'))).toMatchObject({
        exit: 3,
        stderr: expect.stringContaining('file-not-found'),
      });
      expect(existsSync(join(site.root, 'none'))).toBe(false);
    },
    PATIENCE_MS,
  );

  test('by a file in its way is gone on with once that is gone', async () => {
    const output = join(site.root, 'blocked');
    const blocking = join(output, `${NOTES[5]?.id}.txt`);
    await mkdir(output);
    await writeFile(blocking, '');
    const text = ['--format', 'text'];
    expect(await capturedRun(...command('blocked', ...text))).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('not finished; clear the way, then go on with --resume'),
    });
    await rm(blocking);
    expect(await capturedRun(...command('blocked', ...text, '--resume'))).toMatchObject({
      exit: 0,
    });
  });
});
