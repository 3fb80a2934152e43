import { expect, test } from '@jest/globals';
import { Random } from '../../../models/tensor/random.js';
import { templateDocumentId } from '../../../models/text/corpus/template-id.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { reversedPseudonyms } from '../../../study/measures/pseudonyms.js';
import type { Subject } from '../../../study/runs/subject.js';
import { toyVocabulary } from '../../models/training/toy-notes.js';

const NAMES = ['berta', 'carla', 'david', 'emil', 'frida', 'gustav'];

/** Of twelve notes, of so many templates. */
function reversed(templates: number) {
  const heldOut = Array.from({ length: 12 }, (_, i) => {
    const name = NAMES[i % NAMES.length] as string;
    return {
      ...{ id: templateDocumentId(i % templates, i + 1), text: `seen ${name}` },
      spans: [{ type: 'PHI', start: 5, end: 5 + name.length }],
    };
  });
  const subject = {
    ...{ heldOut, scheme: loadLabelScheme('phi-binary'), notes: { vocabulary: toyVocabulary() } },
    ...{ run: { config: { neighbours: 3, digitMoves: 'all' } }, random: () => new Random(1) },
  };
  return reversedPseudonyms(subject as unknown as Subject, 100, {});
}

test('held-out notes of one template are one document to the attack on pseudonyms', async () => {
  const [alone, together] = [await reversed(12), await reversed(1)];
  for (const attack of ['pseudonym-twins', 'pseudonym-word'] as const) {
    expect(alone?.[attack]?.documents).toBe(12);
    expect(together?.[attack]).toMatchObject({
      documents: 1,
      success: { value: alone?.[attack]?.success.value, interval: [expect.any(Number), 1] },
    });
  }
});
