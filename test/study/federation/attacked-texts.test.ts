import { describe, expect, test } from '@jest/globals';
import type { LabelledText } from '../../../models/networks/text-network.js';
import { Random } from '../../../models/tensor/random.js';
import { originOf, templateDocumentId } from '../../../models/text/corpus/template-id.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { attackedTexts } from '../../../study/federation/update-study.js';

const SCHEME = loadLabelScheme('phi-binary');
const sizes = { holders: 2, notes: 3 };

/** Forty sentences of so many templates, in turn, each of which says its own template. */
const templated = (templates: number) =>
  Array.from({ length: 40 }, (_, i) => {
    const id = templateDocumentId(i % templates, i + 1);
    return { id, text: `${i % templates}`, spans: [] };
  });
const templatesOf = (texts: readonly LabelledText[]) =>
  new Set(texts.map(([sentence]) => sentence?.tokens[0]?.text));

describe('texts that are attacked', () => {
  test('of one template are of one holder, of nobody, or known', () => {
    const documents = templated(10);
    const given = attackedTexts('epoch', documents, SCHEME, sizes, new Random(1));
    const { holders, outsiders, known } = given;
    expect([...holders.map((texts) => texts.length), outsiders.length]).toEqual([3, 3, 6]);
    const sides = [...holders, outsiders, known].map(templatesOf);
    expect(sides.reduce((sum, { size }) => sum + size, 0)).toBe(10);
  });

  test('of one origin each are all used', () => {
    const documents = templated(10).map((document, i) => ({ ...document, id: `note-${i}` }));
    expect(new Set(documents.map(originOf)).size).toBe(40);
    const given = attackedTexts('epoch', documents, SCHEME, sizes, new Random(1));
    expect(given.known).toHaveLength(40 - 6 - 6);
  });

  test('of too few templates are refused', () => {
    expect(() => attackedTexts('epoch', templated(3), SCHEME, sizes, new Random(1))).toThrow(
      expect.objectContaining({
        code: 'corpus-invalid',
        message: expect.stringContaining('40 notes of 3 origins are too few: 2 holders with 3'),
      }),
    );
  });
});
