import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { machineFailure, systemFailure } from '../../platform/system-failure.js';
import { receivedError, sentError } from '../../platform/threads/sent-error.js';
import { TacetError } from '../../proto/errors.js';

const refused = (code: string, syscall = 'write') =>
  Object.assign(new Error(`${code}: said the system`), { code, syscall });

describe('what the system refuses', () => {
  test.each([
    ['ENOSPC', 'disk-full'],
    ['EDQUOT', 'disk-full'],
    ['EROFS', 'file-unwritable'],
    ['EACCES', 'file-denied'],
    ['EEXIST', 'file-exists'],
    ['EMFILE', 'too-many-files'],
    ['EIO', 'disk-failed'],
    ['ENOENT', 'file-not-found'],
    ['SQLITE_FULL', 'disk-full'],
    ['SQLITE_IOERR_WRITE', 'disk-failed'],
    ['SQLITE_READONLY_DIRECTORY', 'file-unwritable'],
  ])('%s is %s, with the place and what to do', (name, code) => {
    const failure = systemFailure(refused(name), 'here');
    expect(failure).toMatchObject({ code });
    expect(failure?.message).toMatch(
      new RegExp(`^here: .*\\(${name.split('_', 2).join('_')}\\); .`),
    );
  });

  test('takes the place from the system where nobody else names it', () => {
    const directory = mkdtempSync(join(tmpdir(), 'tacet-system-'));
    const file = join(directory, 'there');
    writeFileSync(file, '');
    try {
      openSync(file, 'wx');
    } catch (error) {
      expect(systemFailure(error)?.message).toContain(file);
    }
    rmSync(directory, { recursive: true });
    expect.assertions(1);
  });

  test('leaves alone what is no refusal of a file', () => {
    for (const error of [
      new Error('ENOSPC'),
      refused('EACCES', 'listen'),
      refused('ECONNREFUSED', 'connect'),
      new TacetError('internal', 'known already'),
      undefined,
    ])
      expect(systemFailure(error)).toBeUndefined();
  });

  test('tells a caller of a server nothing of paths, and takes no missing file for his', () => {
    const full = Object.assign(refused('ENOSPC'), { path: '/srv/doe-jane.txt' });
    expect(machineFailure(full)?.message).not.toContain('doe');
    expect(machineFailure(refused('ENOENT'))).toBeUndefined();
  });

  test('is the same on the other side of a thread', () => {
    expect(receivedError(structuredClone(sentError(refused('ENOSPC'))))).toMatchObject({
      name: 'TacetError',
      code: 'disk-full',
    });
  });
});
