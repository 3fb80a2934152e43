import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { capturedRun } from './captured-run.js';

const { version } = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
) as { version: string };

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1) ?? '';

describe('tacet --version', () => {
  test('prints the version of the package, of every command', async () => {
    for (const args of [['--version'], ['-V'], ['bundle', 'show', '--version']]) {
      const { exit, stdout, stderr } = await capturedRun(...args);
      expect({ exit, stdout, stderr }).toEqual({
        exit: 0,
        stdout: `tacet ${version}\n`,
        stderr: '',
      });
    }
  });
});

describe('a mistyped word', () => {
  test.each([
    ['a command', ['trian', 'raw', 'notes'], /unknown command 'trian'\. Did you mean train\?/],
    ['a command before the name of another', ['trian', 'token'], /Did you mean train\?/],
    ['a subcommand', ['train', 'rwa', 'notes'], /unknown command 'rwa'\. Did you mean raw\?/],
    ['an option', ['corpus', 'generate', 'out', '--fromat', 'i2b2'], /Did you mean --format\?/],
    [
      'an option that is required',
      ['encode', '--modle', 'x'],
      /'--modle'\. Did you mean --model\?/,
    ],
    ['an option of every command', ['keys', 'create', 'x', '--jsn'], /Did you mean --json\?/],
  ])('%s is told with one like it', async (_what, args, says) => {
    const { exit, stdout, stderr } = await capturedRun(...args);
    expect(exit).toBe(2);
    expect(stderr).toMatch(/^tacet: usage: /);
    expect(stderr).toMatch(says);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
  });

  test('that is like no other is told with where to look', async () => {
    expect((await capturedRun('frobnicate')).stderr).toMatch(/'frobnicate'\. See tacet --help/);
    const { stderr } = await capturedRun('bundle', 'show', 'a', 'b');
    expect(stderr).toMatch(/Expected 1 argument but got 2\. See tacet bundle show --help/);
  });

  test('is not looked for in the value of an option', async () => {
    const { exit, stdout } = await capturedRun('--backend', 'audit', 'bundle', '--help');
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^Usage: tacet bundle/);
  });
});

test('required options that are missing are named together', async () => {
  const { exit, stderr } = await capturedRun('encode', 'notes');
  expect(exit).toBe(2);
  for (const option of ['--model', '--embeddings']) expect(stderr).toContain(option);
});

describe('an error with --json', () => {
  test.each([
    ['of input', ['bundle', 'show', 'nowhere'], 'file-not-found', 3, 'nowhere'],
    ['of usage', ['bundle', 'shwo', 'nowhere'], 'usage', 2, 'Did you mean show?'],
    ['of usage, without a command', ['bundle'], 'usage', 2, 'expected a command'],
  ])('%s is the last line on standard error', async (_what, args, code, status, says) => {
    const { exit, stdout, stderr } = await capturedRun('--json', ...args);
    expect(exit).toBe(status);
    expect(stdout).toBe('');
    const { error } = JSON.parse(lastLine(stderr));
    expect(Object.keys(error)).toEqual(['code', 'title', 'message', 'exit']);
    expect(error).toMatchObject({ code, exit: status, message: expect.stringContaining(says) });
  });

  test('is one too where the option follows the command', async () => {
    const { stderr } = await capturedRun('bundle', 'show', 'nowhere', '--json');
    expect(JSON.parse(lastLine(stderr)).error.code).toBe('file-not-found');
  });
});

describe('the help', () => {
  test('lists the commands by who uses them, and says how results and errors are told', async () => {
    const { exit, stdout } = await capturedRun('--help');
    expect(exit).toBe(0);
    const headings = ['Provider:', 'Institution:', 'Auditor:', 'Researcher:'];
    const places = headings.map((heading) => stdout.indexOf(`\n${heading}\n`));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(stdout.indexOf('  encode ')).toBeGreaterThan(places[1]);
    expect(stdout).toMatch(/With --json[\s\S]*"code", "title", "message", "exit"/);
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test('of a command names the options that all have', async () => {
    const { stdout } = await capturedRun('bundle', 'show', '--help');
    expect(stdout).toMatch(/Global Options:[\s\S]*--json/);
  });
});
