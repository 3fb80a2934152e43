import { describe, expect, test } from '@jest/globals';
import { readLayers } from '../../../../../models/text/corpus/layers/read-layers.js';
import { TextChange } from '../../../../../models/text/corpus/layers/text-change.js';

describe('WebAnno TSV with a layer of entities', () => {
  const entities = 'de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value';
  const file = (...lines: string[]) =>
    `#FORMAT=WebAnno TSV 3.3\r\n#T_SP=${entities}\r\n\r\n#Text=Bobs son\r\n${lines.join('\r\n')}\r\n`;
  const found = (content: string, ...spans: readonly [start: number, end: number][]) => {
    const read = readLayers(content, 'webanno', 'notes', 'annotate');
    const [document] = read.documents;
    const replacements = spans.map(([start, end]) => {
      return { type: 'PHI', start, end, text: 'Bobs son'.slice(start, end) };
    });
    document?.change(new TextChange('Bobs son', replacements));
    return read.format();
  };

  test('a part of a token gets a row of its own behind those that there are', () => {
    const before = file(
      ...['1-1\t0-4\tBobs\t_\t_\t', '1-1.1\t3-4\ts\t*\tEND\t', '1-2\t5-8\tson\t_\t_\t'],
    );
    const after = file(
      ...['1-1\t0-4\tBobs\t_\t_\t', '1-1.1\t3-4\ts\t*\tEND\t', '1-1.2\t0-3\tBob\t*\tPHI\t'],
      '1-2\t5-8\tson\t_\t_\t',
    );
    expect(found(before, [0, 3])).toBe(after);
  });

  test('one of several rows has a number that no other has, beside what is there', () => {
    const before = file('1-1\t0-4\tBobs\t*[4]\tOLD[4]\t', '1-2\t5-8\tson\t*[4]\tOLD[4]\t');
    const after = file(
      '1-1\t0-4\tBobs\t*[4]|*[5]\tOLD[4]|PHI[5]\t',
      '1-2\t5-8\tson\t*[4]|*[5]\tOLD[4]|PHI[5]\t',
    );
    expect(found(before, [0, 8])).toBe(after);
  });
});
