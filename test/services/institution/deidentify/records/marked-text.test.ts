import { describe, expect, test } from '@jest/globals';
import { markupWithoutPhi } from '../../../../../services/institution/deidentify/records/fhir/xhtml.js';
import {
  BLOCK_HTML,
  INLINE_HTML,
} from '../../../../../services/institution/deidentify/records/html-elements.js';
import { withoutPhi } from '../../../../../services/institution/deidentify/records/marked-text.js';
import { RecordContext } from '../../../../../services/institution/deidentify/records/record-context.js';
import { RecordCounts } from '../../../../../services/institution/deidentify/records/record-counts.js';
import { Renaming } from '../../../../../services/institution/deidentify/records/renaming.js';
import { xmlPieces } from '../../../../../services/institution/deidentify/records/xml-pieces.js';

/** A run whose pipeline finds telephone numbers, and what it was given to read. */
function telephones() {
  const read: string[] = [];
  const edit = async (text: string) => {
    read.push(text);
    return Array.from(text.matchAll(/\d{3}-\d{3}-\d{4}/g), ({ 0: found, index }) => ({
      ...{ start: index, end: index + found.length, text: '[PHONE]' },
    }));
  };
  return { read, context: new RecordContext(edit, new Renaming(), new RecordCounts()) };
}

const html = (markup: string) => markupWithoutPhi(markup, telephones().context, '1');

async function cda(markup: string): Promise<string> {
  const pieces = await withoutPhi(xmlPieces(markup, 'a.xml'), telephones().context, '1');
  return pieces.map(({ source }) => source).join('');
}

describe('a number that markup parts', () => {
  test.each(['b', 'B', 'SPAN', 'Font', 'A', 'ins', 'del', 'mark', 'time', 'bdi'])(
    'is found where a part of it is in <%s>',
    async (name) => {
      expect(await html(`<DIV>Tel 617-555-<${name}>0142</${name}>, <b>x</b></DIV>`)).toBe(
        `<DIV>Tel [PHONE]<${name}></${name}>, <b>x</b></DIV>`,
      );
    },
  );

  test('is found where a line may break within it', async () => {
    expect(await html('<div>Tel 617-555-<wbr/>0142</div>')).toBe('<div>Tel [PHONE]<wbr/></div>');
  });

  test('is one in CDA within its own elements, whose names have one case', async () => {
    const text = (name: string) => `<text>617-555-<${name}>0142</${name}></text>`;
    for (const name of ['content', 'linkHtml', 'sub', 'footnote'])
      expect(await cda(text(name))).toBe(`<text>[PHONE]<${name}></${name}></text>`);
    for (const name of ['item', 'CONTENT', 'linkhtml'])
      expect(await cda(text(name))).toBe(text(name));
  });
});

test('an element of HTML either stands within a line or ends one, in capitals too', async () => {
  for (const element of [...INLINE_HTML, ...BLOCK_HTML])
    for (const name of [element, element.toUpperCase()]) {
      const { read, context } = telephones();
      const markup = `<p>a<${name}>b</${name}>c</p>`;
      expect(await markupWithoutPhi(markup, context, '1')).toBe(markup);
      expect([name, read]).toEqual([name, [BLOCK_HTML.has(element) ? '\na\nb\nc\n' : '\nabc\n']]);
    }
});
