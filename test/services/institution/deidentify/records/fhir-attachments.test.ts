import { describe, expect, test } from '@jest/globals';
import {
  formatExactJson,
  parseExactJson,
} from '../../../../../services/institution/deidentify/records/fhir/exact-json.js';
import { cleaned, type Resource } from './cleaned-resource.js';
import { NAME, taggedNames } from './tagged-names.js';

const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64');

describe('a DocumentReference', () => {
  const withAttachment = (attachment: object) => ({
    resourceType: 'DocumentReference',
    status: 'current',
    subject: { reference: 'Patient/23' },
    content: [{ attachment }],
  });
  const attachmentOf = (found: Resource) => found.content?.[0].attachment;

  test.each([
    ['plain text', 'text/plain', base64(`Señor ${NAME}.`), 'Señor [NAME].', 'utf8'],
    [
      'Latin-1',
      'text/plain; charset=ISO-8859-1',
      base64(`Señor ${NAME}.`, 'latin1'),
      'Señor [NAME].',
      'latin1',
    ],
    [
      'HTML',
      'text/html',
      base64(`<html><body onload="x()">${NAME}<br/>b</body></html>`),
      '<html><body>[NAME]<br/>b</body></html>',
      'utf8',
    ],
  ] as const)(
    'has its %s read, without the way back',
    async (_, contentType, data, expected, encoding) => {
      const found = await cleaned(
        withAttachment({
          contentType,
          data,
          url: `http://x/${NAME}`,
          hash: 'aGFzaA==',
          size: 3,
          title: NAME,
          creation: '2020',
        }),
      );
      const attachment = attachmentOf(found);
      expect(Buffer.from(attachment.data, 'base64').toString(encoding)).toBe(expected);
      expect(attachment).toEqual({
        ...{ contentType, data: attachment.data, title: '[NAME]' },
        ...{ size: Buffer.from(attachment.data, 'base64').length, creation: expect.any(String) },
      });
    },
  );

  test.each([
    ['PDF', { contentType: 'application/pdf', data: base64('%PDF') }],
    ['an address alone', { contentType: 'text/plain', url: `http://x/${NAME}` }],
    ['text that is not of its character set', { contentType: 'text/plain', data: '/w==' }],
    ['HTML with a script', { contentType: 'text/html', data: base64('<p><script>1</script></p>') }],
    ['HTML that is not well-formed', { contentType: 'text/html', data: base64(`<p>${NAME}`) }],
  ])('loses an attachment of %s, which is counted', async (_, attachment) => {
    const context = taggedNames();
    expect(attachmentOf(await cleaned(withAttachment(attachment), context))).toBeUndefined();
    expect(context.counts.removed.attachments).toBe(1);
  });

  test('that is an element which HTML has not, loses it and keeps its text', async () => {
    const data = base64(`<p>Seen by<${NAME}>Dr</${NAME}>today <o:x/></p>`);
    const context = taggedNames();
    const found = attachmentOf(
      await cleaned(withAttachment({ contentType: 'text/html', data }), context),
    );
    expect(Buffer.from(found.data, 'base64').toString()).toBe('<p>Seen by Dr today  </p>');
    expect(context.counts.removed.unknown).toBe(3);
  });
});

describe('what is long', () => {
  const BLANKS = ' '.repeat(400_000);
  const text = async (attachment: object) => {
    const { content } = await cleaned({
      resourceType: 'DocumentReference',
      content: [{ attachment }],
    });
    return content && Buffer.from(content[0].attachment.data, 'base64').toString();
  };

  test('and blank is read in time: within a tag, behind a type, behind what is no base64', async () => {
    const data = base64(`<p${BLANKS}>${NAME}</p>`);
    expect(await text({ contentType: 'text/html', data })).toMatch(/>\[NAME\]<\/p>$/);
    const plain = base64(NAME);
    expect(await text({ contentType: `text/plain${BLANKS}x`, data: plain })).toBeUndefined();
    expect(await text({ contentType: 'text/plain', data: `QQ${BLANKS}!` })).toBeUndefined();
  });

  test('is read where a tag has more characters than a stack has room for', async () => {
    const data = base64(`<p${' '.repeat(9_000_000)}>${NAME}</p>`);
    expect(await text({ contentType: 'text/html', data })).toMatch(/>\[NAME\]<\/p>$/);
  });

  test('as an attachment of many megabytes is, is read with its numbers as they were written', () => {
    const data = 'QUFB'.repeat(4_000_000);
    const json = `{"a":1.50,"data":"${data}","b":${JSON.stringify('\\" 7 \\')},"c":[-2e3]}`;
    const read = parseExactJson(json);
    expect(formatExactJson(read)).toBe(json);
  });

  test('leaves others their turn, and stops when it is told to', async () => {
    const coding = Array.from({ length: 3000 }, (_, i) => ({ code: `1.1.1.1.1.1.123-4567-${i}` }));
    const resource = { resourceType: 'Observation', code: { coding } };
    let turns = 0;
    const others = setInterval(() => turns++, 1);
    expect((await cleaned(resource)).code.coding).toHaveLength(coding.length);
    clearInterval(others);
    expect(turns).toBeGreaterThan(0);
    const stopped = new AbortController();
    const stopping = cleaned(resource, taggedNames(stopped.signal));
    stopped.abort(new Error('gone'));
    await expect(stopping).rejects.toThrow('gone');
  });

  test('as no address of a code system is, is removed', async () => {
    const system = (length: number) => `http://a.example/${'a'.repeat(length)}`;
    const { code } = await cleaned({
      resourceType: 'Observation',
      code: { coding: [{ system: system(1900) }, { system: system(2000) }] },
    });
    expect(code).toEqual({ coding: [{ system: system(1900) }] });
  });
});
