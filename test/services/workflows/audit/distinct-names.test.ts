import { expect, test } from '@jest/globals';
import { distinctNames } from '../../../../services/workflows/audit/distinct-names.js';

test.each([
  [
    ['/a/north', '/a/south/'],
    ['north', 'south'],
  ],
  [
    ['/north/notes', '/south/notes'],
    ['north/notes', 'south/notes'],
  ],
  [
    ['/notes', '/mnt/notes'],
    ['/notes', 'mnt/notes'],
  ],
])('%j are told apart', (folders, names) => {
  expect(distinctNames(folders)).toEqual(names);
});

test('a folder that is named twice is refused', () => {
  expect(() => distinctNames(['/a/notes', '/a/notes/'])).toThrow('named twice');
});
