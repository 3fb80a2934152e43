import { describe, expect, test } from '@jest/globals';
import { withEdits } from '../../../../../services/institution/deidentify/records/text-edits.js';
import { cleaned } from './cleaned-resource.js';
import { NAME, taggedNames } from './tagged-names.js';

const bytes = (length: number, encoding: BufferEncoding = 'base64') =>
  Buffer.from(Array.from({ length }, (_, i) => (i * 37 + 11) % 256)).toString(encoding);
const lines = (text: string, width: number, end: string) =>
  text.replace(new RegExp(`(.{${width}})(?=.)`, 'g'), `$1${end}`);
const read = async (text: string) => {
  const context = taggedNames();
  const clean = withEdits(text, await context.edits(text, '1'));
  return [clean, context.counts.removed.attachments ?? 0];
};

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const [HEADER, CLAIMS] = [part({ alg: 'none' }), part({ sub: 'Quint', iat: 15 })];

describe('bytes in a free text', () => {
  test.each([
    [
      'a picture of a few bytes',
      `![face](data:image/jpeg;base64,${bytes(9)}) ok`,
      '![face]([removed]) ok',
    ],
    ['one with parameters', `data:image/png;name=a;base64,${bytes(300)}, ok`, '[removed], ok'],
    ['a long run', `Scan: ${bytes(60)} ok`, 'Scan: [removed] ok'],
    ['as addresses have it', `Scan: ${bytes(6000, 'base64url')} ok`, 'Scan: [removed] ok'],
    ['a health card', `Vaccines shc:/${'5676'.repeat(200)}, ok`, 'Vaccines [removed], ok'],
    ['a token', `Token ${HEADER}.${CLAIMS}.SflKxwRJSM-eKKF2QT4, ok`, 'Token [removed], ok'],
    ['one that nobody signed', `Token ${HEADER}.${CLAIMS}. Then`, 'Token [removed]. Then'],
    ['one with long claims', `${HEADER}.${bytes(90, 'base64url')}.Sfl_KxwR ok`, '[removed] ok'],
    [
      'an encrypted one',
      `?token%3D${HEADER}..AxY8DCtDaGlsbGljb3RoZQ.Kfo.tg&ok`,
      '?token%3D[removed]&ok',
    ],
    [
      'one in a path',
      `https://a.example/deidentify/of/some/notes/${HEADER}.${CLAIMS}`,
      'https://a.example/deidentify/of/some/notes/[removed]',
    ],
    ['lines of 64', `Scan:\n${lines(bytes(100), 64, '\n')}\nok then`, 'Scan:\n[removed]\nok then'],
    ['lines that are indented', lines(bytes(100), 76, `\n${' '.repeat(12)}`), '[removed]'],
    [
      'lines of 76',
      `${lines(bytes(200), 76, '\r\n')}\r\n${NAME} is well`,
      '[removed]\r\n[NAME] is well',
    ],
  ])('are removed and counted: %s', async (_, text, expected) => {
    expect(await read(text)).toEqual([expected, 1]);
  });

  test('are each removed beside names, which are replaced', async () => {
    const text = `${NAME} ${bytes(90)} Quint ${NAME} data:a/b;base64,QUFB`;
    expect(await read(text)).toEqual(['[NAME] [removed] Quint [NAME] [removed]', 2]);
  });

  test.each([
    'x'.repeat(200),
    'ACGT'.repeat(50),
    'acgt1'.repeat(50),
    'Aa1 '.repeat(100),
    `Sha ${'0a'.repeat(32)} ${'0a'.repeat(32)}`,
    'data: none; base64, none',
    `Name 1: ${'_'.repeat(90)}\nWard: ${'-'.repeat(90)}Ana1\nBed2`,
    `${'_'.repeat(39)}Name1${'_'.repeat(80)}`,
    'shc:/5676, no card',
    `${HEADER} and ${CLAIMS}`,
    'eyJack.com. eyJill.org',
  ])('are none where words are, or letters of one case: %s', async (text) => {
    expect(await read(text)).toEqual([text, 0]);
  });

  test('go from markdown and plain text of FHIR', async () => {
    const picture = `![x](data:image/png;base64,${bytes(400)})`;
    const context = taggedNames();
    const found = await cleaned(
      {
        resourceType: 'DocumentReference',
        description: picture,
        content: [
          {
            attachment: {
              contentType: 'text/markdown',
              data: Buffer.from(`${NAME} ${picture}`).toString('base64'),
            },
          },
        ],
      },
      context,
    );
    expect(found.description).toBe('![x]([removed])');
    const { data } = found.content[0].attachment;
    expect(Buffer.from(data, 'base64').toString()).toBe('[NAME] ![x]([removed])');
    expect(context.counts.removed).toEqual({ attachments: 2 });
  });

  test('may be of any length, and their lines many', async () => {
    const token = `${HEADER}.${'QUJh1'.repeat(4_000_000)}.QUJh`;
    for (const run of [
      token,
      'QUJh1'.repeat(4_000_000),
      `${'QUJh1'.repeat(15)}\n`.repeat(200_000).trim(),
    ])
      expect(await read(run)).toEqual(['[removed]', 1]);
  });

  test('are looked for in time that grows with the text', async () => {
    for (const piece of [
      'data:',
      'A1b',
      '-',
      'A1-',
      'shc:/5',
      'A1b ',
      `${'A1b'.repeat(13)} `,
      `${'A1b'.repeat(14)}\n`,
      ';base64,',
      'eyJ',
      'eyJ.',
      '%3DeyJ',
    ])
      expect((await read(piece.repeat(2 ** 20 / piece.length)))[0]).toEqual(expect.any(String));
  });
});
