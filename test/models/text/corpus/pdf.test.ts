import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Random } from '../../../../models/tensor/random.js';
import { TacetError } from '../../../../proto/errors.js';
import { mutate } from '../../../fuzz/mutation.js';
import { pdfOf } from './pdf-file.js';
import { readAll, TemporaryFiles } from './temporary-files.js';

const files = new TemporaryFiles();
afterAll(() => files.remove());

const line = (text: string, y: number, mode = 0) =>
  `BT /F1 12 Tf ${mode} Tr 20 ${y} Td (${text}) Tj ET`;
const FLATE = '/Filter /FlateDecode';
const PICTURE = 'q 300 0 0 200 0 0 cm /I1 Do Q';
const LOGO = 'q 300 0 0 60 0 140 cm q 0.3 0 0 1 0 0 cm /I1 Do Q Q';

const withAnnotation = (entries: string) =>
  pdfOf([line('Name:', 150)], undefined, '', [`<< /Type /Annot /Rect [20 20 90 40] ${entries} >>`]);

const read = (pdf: Uint8Array, name = 'note.pdf') => readAll(files.write({ [name]: pdf }));

describe('a PDF', () => {
  test('a logo beside few words, and a letterhead behind many, are no scan', async () => {
    const logo = `q 300 0 0 60 0 140 cm q 0.3 0 0 1 0 0 cm /I1 Do Q Q ${line('Zacarias', 100)}`;
    expect((await read(pdfOf([logo])))[0]?.text).toBe('Zacarias');
    const lines = Array.from({ length: 12 }, (_, i) =>
      line('Zacarias was seen on the ward', 15 * i),
    );
    const behind = await read(pdfOf([`${PICTURE} ${lines.join(' ')}`]));
    expect(behind[0]?.text).toContain('Zacarias was seen on the ward');
  });

  test('gives the lines of its text layer, pages apart, whatever it is called', async () => {
    const pdf = pdfOf([
      `${line('Seen by Dr. Mu\\361oz', 150)}\n${line('Fever.', 130)}`,
      '',
      `${LOGO} ${line('Second page', 150)}`,
    ]);
    const found = { text: 'Seen by Dr. Muñoz\nFever.\n\nSecond page', spans: [] };
    expect(await read(pdf)).toEqual([{ id: 'note', ...found }]);
    expect(await read(pdf, 'note.txt')).toEqual([{ id: 'note', ...found }]);
  });

  test('is read with its streams packed', async () => {
    const stream = deflateSync(line('Ann', 150)).toString('latin1');
    expect(await read(pdfOf([stream], undefined, FLATE))).toMatchObject([{ text: 'Ann' }]);
  });

  test('may have a form that nobody filled, links and comments', async () => {
    const empty = [
      '/Subtype /Widget /FT /Tx /T (name) /V ()',
      '/Subtype /Widget /FT /Btn /T (sex) /V /Off /AS /Off',
      '/Subtype /Text /Contents (a comment)',
      '/Subtype /Link',
    ];
    for (const entries of empty)
      expect(await read(withAnnotation(entries))).toMatchObject([{ text: 'Name:' }]);
  });

  test('says nothing of spans', async () => {
    const path = files.write({ 'a.pdf': pdfOf([line('Ann', 150)]) });
    await expect(readAll(path, { requireAnnotations: true })).rejects.toThrow(/no annotations/);
  });

  test.each([
    [
      'a scanned page',
      pdfOf([line('Zacarias', 150), PICTURE]),
      /page 2: a picture without text.*OCR/,
    ],
    [
      'a scanned page with the line of a fax above it',
      pdfOf([`q 280 0 0 150 10 10 cm /I1 Do Q ${line('From 555 0142, page 1 of 3', 180)}`]),
      /page 1: a picture over most of the page/,
    ],
    [
      'a scanned page in strips',
      pdfOf([
        `${[0, 1, 2, 3].map((i) => `q 300 0 0 40 0 ${40 * i} cm /I1 Do Q`).join(' ')} ${line('Zacarias', 180)}`,
      ]),
      /page 1: a picture over most of the page/,
    ],
    [
      'the invisible text of OCR',
      pdfOf([`${PICTURE} ${line('Zacarias', 150, 3)}`]),
      /page 1: invisible text.*OCR/,
    ],
    [
      'characters that mean nothing',
      pdfOf(
        [line('Zacarias', 150)],
        '<< /Type /Encoding /Differences [97 /uniE001 /uniE002 /uniE003] >>',
      ),
      /page 1: its fonts do not say/,
    ],
    ...[
      '/Subtype /Widget /FT /Tx /T (name) /V (Zacarias)',
      '/Subtype /Widget /FT /Ch /T (name) /V (Zacarias) /Opt [(Zacarias)]',
      '/Subtype /Widget /FT /Btn /T (sex) /V /Male /AS /Male',
      '/Subtype /FreeText /DA (/F1 12 Tf) /Contents (Zacarias)',
    ].map(
      (entries) => [entries, withAnnotation(entries), /page 1: a form that was filled/] as const,
    ),
    ['no text', pdfOf(['']), /there is no text in it/],
    [
      'more than fits into memory',
      pdfOf([deflateSync(Buffer.alloc(250_000_000)).toString('latin1')], undefined, FLATE),
      /unpacked it is larger than 200 MB/,
    ],
    [
      'a stream packed twice',
      pdfOf([line('Zacarias', 150)], undefined, '/Filter [/FlateDecode /FlateDecode]'),
      /packed twice/,
    ],
    ['encryption', Buffer.concat([pdfOf([]), Buffer.from('<< /Encrypt 9 0 R >>')]), /encrypted/],
    ['an end too early', Buffer.from('%PDF-1.4\nZacarias'), /no PDF that can be read/],
  ])('with %s is refused, and not quoted', async (_, pdf, message) => {
    const error = await read(pdf).catch((caught: Error) => caught);
    expect(error).toMatchObject({
      code: 'corpus-invalid',
      message: expect.stringMatching(message),
    });
    expect((error as Error).message).not.toContain('Zacarias');
  });

  test('that is damaged anywhere is read or refused, and ends no process', async () => {
    const sound = pdfOf([line('Seen by Ann', 150)]);
    const random = new Random(1);
    let refused = 0;
    for (let number = 0; number < 30; number++) {
      const damaged = mutate([sound], random.fork(`${number}`));
      await read(damaged).catch((error: unknown) => {
        expect(error).toBeInstanceOf(TacetError);
        expect(error).toMatchObject({ code: 'corpus-invalid' });
        refused++;
      });
    }
    expect(refused).toBeGreaterThan(0);
  });
});
