import { describe, expect, test } from '@jest/globals';
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
});
