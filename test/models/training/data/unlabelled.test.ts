import { expect, test } from '@jest/globals';
import { Random } from '../../../../models/tensor/random.js';
import { templateDocumentId } from '../../../../models/text/corpus/template-id.js';
import { loadLabelScheme } from '../../../../models/text/label-scheme.js';
import { prepareUnlabelled } from '../../../../models/training/data/unlabelled.js';
import { toyVocabulary } from '../toy-notes.js';

const prepared = (templates: number) =>
  prepareUnlabelled(
    {
      documents: Array.from({ length: 12 }, (_, i) => ({
        ...{ id: templateDocumentId(i % templates, i + 1), text: 'patient seen', spans: [] },
      })),
      scheme: loadLabelScheme('phi-binary'),
      vocabulary: toyVocabulary(),
    },
    { validationShare: 0.1 },
    { random: new Random(1) },
  );

test('text without labels is parted by template, and one template alone is refused', () => {
  expect(prepared(3).documents).toEqual({ train: 8, validation: 4 });
  expect(() => prepared(1)).toThrow(
    expect.objectContaining({
      code: 'corpus-invalid',
      message: expect.stringContaining('text without labels: found 12 documents of 1 origin'),
    }),
  );
});
