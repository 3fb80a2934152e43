import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Random } from '../../../../models/tensor/random.js';
import { TacetError } from '../../../../proto/errors.js';
import { mutate } from '../../../fuzz/mutation.js';
import { pdfOf } from './pdf-file.js';
import { readAll, TemporaryFiles } from './temporary-files.js';

const files = new TemporaryFiles();
afterAll(() => files.remove());

const BOMB = deflateSync(Buffer.alloc(250_000_000));
const LARGE = /unpacked it is larger than 200 MB/;
const ELSEWHERE = /how a stream is packed stands elsewhere/;
const packed = (filter: string, data = BOMB) => pdfOf([data.toString('latin1')], undefined, filter);
/** Data in ASCII85: groups of four bytes as five digits of base 85. */
const ascii85 = (data: Buffer) => {
  let text = '';
  for (let at = 0; at < data.length; at += 4) {
    let value = Buffer.concat([data.subarray(at, at + 4), Buffer.alloc(3)]).readUInt32BE();
    let group = '';
    for (; group.length < 5; value = Math.floor(value / 85))
      group = String.fromCharCode(33 + (value % 85)) + group;
    text += group.slice(0, Math.min(4, data.length - at) + 1);
  }
  return Buffer.from(`${text}~>`);
};
const NOTE = Buffer.from('BT /F1 12 Tf 20 150 Td (Ann) Tj ET');
/** The same codes in 9 bits each, a clear code before every hundredth. */
const lzwOf = (data: Buffer) => {
  const codes = Array.from(data).flatMap((byte, at) => (at % 100 === 0 ? [256, byte] : [byte]));
  const bits = [...codes, 257].map((code) => code.toString(2).padStart(9, '0')).join('');
  return Buffer.from(
    (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)),
  );
};
/** A clear code, then codes that each mean the sequence before and one more byte, up to 12 bits. */
const lzwBomb = (times: number) => {
  let bits = '';
  const put = (code: number, width: number) => (bits += code.toString(2).padStart(width, '0'));
  put(256, 9);
  put(0, 9);
  for (let code = 258; code < 4095; code++)
    put(code, code + 1 < 512 ? 9 : code + 1 < 1024 ? 10 : code + 1 < 2048 ? 11 : 12);
  for (let time = 0; time < times; time++) put(4094, 12);
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

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

  test.each([
    ['/Filter [/ASCII85Decode /FlateDecode]', ascii85(deflateSync(NOTE))],
    ['/Filter [/AHx /Fl]', Buffer.from(`${deflateSync(NOTE).toString('hex')}>`)],
    ['/F#69lter /Fl#61teDecode', deflateSync(NOTE)],
    ['/Filter /LZWDecode', lzwOf(NOTE)],
    [
      '/Filter /RunLengthDecode',
      Buffer.concat([Buffer.from([NOTE.length - 1]), NOTE, Buffer.from([128])]),
    ],
    [
      '/Pad (endobj 9 0 obj << /Filter 12 0 R >> \\) stream) /Filter /FlateDecode',
      deflateSync(NOTE),
    ],
  ])('packed as %s is read', async (filter, data) => {
    expect(await read(packed(filter, data))).toMatchObject([{ text: 'Ann' }]);
  });

  test('may not unpack to much in many small streams, nor one that breaks off', async () => {
    const broken = Buffer.concat([
      deflateSync(Buffer.alloc(90_000_000)).subarray(0, -9),
      Buffer.alloc(99, 255),
    ]);
    const streams = Array.from({ length: 3 }, () => broken.toString('latin1'));
    await expect(read(pdfOf(streams, undefined, FLATE))).rejects.toThrow(
      /damaged|larger than 200 MB/,
    );
    const whole = deflateSync(Buffer.alloc(70_000_000)).toString('latin1');
    await expect(read(pdfOf([whole, whole, whole], undefined, FLATE))).rejects.toThrow(LARGE);
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
    ['more than fits into memory', packed(FLATE), LARGE],
    ['much behind a long dictionary', packed(`${FLATE} /Pad (${'x'.repeat(2500)})`), LARGE],
    [
      'much behind an object in a string',
      packed(`${FLATE} /Pad (9 0 obj ${'x'.repeat(2500)})`),
      LARGE,
    ],
    ['much and a letter of its filter escaped', packed('/Filter /F#6cateDecode'), LARGE],
    ['much and its first letter escaped', packed('/Filter /#46lateDecode'), LARGE],
    ['much and no filter', packed(''), LARGE],
    [
      'much and a window that zlib does not know',
      packed(FLATE, Buffer.concat([Buffer.from([0x88, 0x1c]), BOMB.subarray(2)])),
      LARGE,
    ],
    ['a filter in another object', packed('/Filter 12 0 R'), ELSEWHERE],
    ['a filter in an array in another object', packed('/F [12 % c\n 0 R]'), ELSEWHERE],
    ['much in ASCII85', packed('/Filter [/A85 /Fl]', ascii85(BOMB)), LARGE],
    [
      'much in digits',
      packed('/Filter [/ASCIIHexDecode /FlateDecode]', Buffer.from(`${BOMB.toString('hex')}>`)),
      LARGE,
    ],
    ['much in LZW', packed('/Filter /L#5aWDecode', lzwBomb(60_000)), LARGE],
    [
      'LZW of other parameters',
      packed('/Filter /LZW /DecodeParms << /EarlyChange 3 >>', lzwOf(NOTE)),
      /LZW is not plain/,
    ],
    ['much in runs', packed('/Filter /RunLengthDecode', Buffer.alloc(3_300_000, 129)), LARGE],
    ['runs within Flate', packed('/Filter [/FlateDecode /RL]', deflateSync(NOTE)), /packed twice/],
    [
      'a stream in an array',
      pdfOf([`endstream endobj 9 0 obj [ << /Filter /LZW >> stream\n${line('Zacarias', 150)}`]),
      /within another object/,
    ],
    [
      'a stream that is damaged',
      packed(FLATE, Buffer.concat([deflateSync(NOTE).subarray(0, 9), Buffer.alloc(99, 255)])),
      /a stream is damaged/,
    ],
    [
      'a stream packed twice',
      pdfOf([line('Zacarias', 150)], undefined, '/Filter [/FlateDecode /FlateDecode]'),
      /packed twice/,
    ],
    [
      'encryption in other letters',
      Buffer.concat([pdfOf([]), Buffer.from('<< /#45ncrypt 9 0 R >>')]),
      /encrypted/,
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
