import { expect, test } from '@jest/globals';
import { pastedHead } from '../../../../../../services/http/pages/store/browser/pasted-head.js';

const HASH = '0f'.repeat(32);

test.each([
  ['', undefined],
  ['  \n', undefined],
  [HASH, { sequence: undefined, hash: HASH }],
  [`  ${HASH.toUpperCase()}\n`, { sequence: undefined, hash: HASH }],
  [`12 ${HASH}`, { sequence: 12, hash: HASH }],
  [`0000000000000012 ${HASH}\n`, { sequence: 12, hash: HASH }],
  [`12, ${HASH}`, { sequence: 12, hash: HASH }],
  [JSON.stringify({ sequence: 7, hash: HASH, envelope: {} }), { sequence: 7, hash: HASH }],
  [JSON.stringify({ hash: HASH }), { sequence: undefined, hash: HASH }],
])('%j is read as a head', (text, head) => {
  expect(pastedHead(text)).toEqual(head);
});

test.each(['x', HASH.slice(1), `${HASH}0`, '{}', 'null', '[]', '{"hash":7}', `-1 ${HASH}`])(
  '%j is refused in words',
  (text) => {
    expect(() => pastedHead(text)).toThrow('is no head of a log');
  },
);
