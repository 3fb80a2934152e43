import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { terminalJson, terminalLine, terminalText } from '../../../services/cli/terminal-text.js';
import { answeringServer } from '../client/answering-server.js';
import { capturedRun } from './captured-run.js';

const ESCAPES = 'a\u001b[2J\u009b31m\u001b]0;title\u0007\r\u202eb';
const OBEYED = /[^\P{Cc}\n]|\u202e/u;

describe('what is printed', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tacet-terminal-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('shows every character that a terminal would obey', () => {
    expect(terminalText(`${ESCAPES}\n\tc`)).toBe(
      'a\\u{1b}[2J\\u{9b}31m\\u{1b}]0;title\\u{7}\\u{d}\\u{202e}b\n\tc',
    );
    expect(terminalLine('a\nb')).toBe('a\\u{a}b');
  });

  test('means the same as JSON', () => {
    const value = { [ESCAPES]: [`"\\${ESCAPES}\n`, 'é', 1.5] };
    expect(terminalJson(value)).not.toMatch(OBEYED);
    expect(JSON.parse(terminalJson(value))).toEqual(value);
  });

  test.each([[[]], [['--json']]])('names a file so (%p)', async (json) => {
    const file = join(folder, `${ESCAPES.replace('/', '')}.jsonl`);
    await writeFile(file, '{');
    const { exit, stderr } = await capturedRun(...json, 'corpus', 'check', file);
    expect(exit).toBe(3);
    expect(stderr).toContain('title');
    expect(stderr).not.toMatch(OBEYED);
  });

  test.each([
    ['not-found', 3],
    ['constructor', 1],
    ['__proto__', 1],
  ])('says what a server answers so, whatever its code (%s)', async (code, status) => {
    const body = JSON.stringify({ code, detail: ESCAPES });
    const server = await answeringServer(() => ({ status: 500, body }));
    const { exit, stderr } = await capturedRun('model', 'list', '--registry', server.url);
    await server.close();
    expect(exit).toBe(status);
    expect(stderr).not.toMatch(OBEYED);
  });
});
