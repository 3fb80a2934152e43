import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { type Logger, pino } from 'pino';
import { TacetError } from '../../../proto/errors.js';
import {
  type Explain,
  explainByPlace,
  explainInFull,
} from '../../../services/http/explained-error.js';

const CANARY = 'Zephyrine';

function loggedOf(error: unknown, explain: (logger: Logger) => Explain = explainByPlace): string {
  const lines: string[] = [];
  const to = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(`${chunk}`);
      done();
    },
  });
  explain(pino({}, to))(error);
  return lines.join('');
}

test('says where it failed, and no line of a message that reads like a place', () => {
  const error = new RangeError(`no vector for:\n    at noon ${CANARY} was seen\n  at home`);
  const logged = loggedOf(error);
  expect(logged).toContain('explained-error.test');
  expect(logged).not.toContain(CANARY);
});

test('says nothing of a failure whose message was changed after it was thrown', () => {
  const error = new Error(`one\n    at noon ${CANARY}`);
  error.message = 'another';
  expect(loggedOf(error)).not.toContain(CANARY);
  expect(loggedOf(`    at noon ${CANARY}`)).not.toContain(CANARY);
});

test('says of what is away that it is, and not where that was met', () => {
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const away = new TacetError('catalog-unreachable', 'the catalog cannot be reached', { cause });
  const logged = JSON.parse(loggedOf(away, explainInFull));
  expect(logged).toMatchObject({
    code: 'catalog-unreachable',
    reason: 'the catalog cannot be reached',
    cause: 'ECONNREFUSED',
  });
  expect(logged).not.toHaveProperty('stack');
});

test('says of a catalog that another process holds that it is busy', () => {
  const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  expect(explainInFull(pino({ level: 'silent' }))(busy)).toMatchObject({
    code: 'store-busy',
    status: 503,
  });
  expect(JSON.parse(loggedOf(busy, explainInFull))).toMatchObject({
    code: 'store-busy',
    cause: 'SQLITE_BUSY',
  });
});

test('says of the program itself where it failed, and nothing of what a client did', () => {
  const logged = JSON.parse(loggedOf(new RangeError('no such row'), explainInFull));
  expect(logged).toMatchObject({ code: 'internal' });
  expect(logged.stack).toContain('explained-error.test');
  expect(loggedOf(new TacetError('not-found', 'there is no blob'), explainInFull)).toBe('');
});
