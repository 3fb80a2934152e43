import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { explainByPlace } from '../../../services/http/explained-error.js';

const CANARY = 'Zephyrine';

function loggedOf(error: unknown): string {
  const lines: string[] = [];
  const to = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(`${chunk}`);
      done();
    },
  });
  explainByPlace(pino({}, to))(error);
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
