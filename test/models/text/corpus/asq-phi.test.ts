import { afterAll, describe, expect, test } from '@jest/globals';
import { readAll, TemporaryFiles } from './temporary-files.js';

const files = new TemporaryFiles();
afterAll(() => files.remove());

const query = (text: string, ...tags: object[]) =>
  ['===QUERY===', text, '===PHI_TAGS===', ...tags.map((tag) => JSON.stringify(tag)), ''].join('\n');
const name = (value: string) => ({ identifier_type: 'NAME', value });

describe('a file of ASQ-PHI', () => {
  test('gives a document a query, a value labelled wherever it stands outside a longer one', async () => {
    const content = [
      query('😀 Ann Lee, 34: is Ann better? Annual dose', name('Ann'), name('Ann Lee')),
      query('Dose of ibuprofen?'),
    ].join('\n');
    expect(await readAll(files.write({ 'queries.txt': content }))).toEqual([
      {
        id: 'query-1',
        text: '😀 Ann Lee, 34: is Ann better? Annual dose',
        spans: [
          { type: 'NAME', start: 3, end: 10 },
          { type: 'NAME', start: 19, end: 22 },
        ],
      },
      { id: 'query-2', text: 'Dose of ibuprofen?', spans: [] },
    ]);
  });

  test('that begins with something else is refused, with no word of it', async () => {
    const directory = files.write({ 'queries.txt': `Zoe\n${query('And Bo?', name('Bo'))}` });
    const error = await readAll(`${directory}/queries.txt`, { format: 'asq-phi' }).catch(
      (caught: Error) => caught,
    );
    expect(error).toMatchObject({ message: expect.stringMatching(/line 1: expected ===QUERY===/) });
    expect(String(error)).not.toContain('Zoe');
  });

  test.each([
    [
      'a value that does not stand there',
      query('Is he well?', name('Zoe')),
      /:1: line 4: .* stand/,
    ],
    ['a tag that is none', query('Is Zoe well?', { value: 'Zoe' }), /:1: line 4: expected/],
    ['no tags', '===QUERY===\nIs Zoe well?\n', /:1: expected a line ===PHI_TAGS===/],
  ])('%s is refused at its query, the others read', async (_, bad, message) => {
    const directory = files.write({ 'queries.txt': `${bad}\n${query('And Bo?', name('Bo'))}` });
    const error = await readAll(directory).catch((caught: Error) => caught);
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
    expect(String(error)).not.toContain('Zoe');
    expect(await readAll(directory, { skipBad: true })).toHaveLength(1);
  });
});
