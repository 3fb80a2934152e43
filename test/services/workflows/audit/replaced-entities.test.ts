import { expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import { loadLabelScheme } from '../../../../models/text/label-scheme.js';
import { replacedEntitiesIn } from '../../../../services/workflows/audit/replaced-entities.js';

const SCHEME = loadLabelScheme('phi-binary');

/** A note whose bracketed parts are labelled. */
function note(marked: string) {
  const spans: { type: string; start: number; end: number }[] = [];
  let text = '';
  for (const part of marked.split(/(?=\[)|(?<=\])/)) {
    const words = part.replace(/[[\]]/g, '');
    if (part.startsWith('['))
      spans.push({ type: 'PHI', start: text.length, end: text.length + words.length });
    text += words;
  }
  return { id: 'note', text, spans };
}

test('each surrogate is found in its sentence, with the words that stood there', () => {
  const words = ['ana', 'bell', 'low'];
  const vocabulary = new Vocabulary(embeddingsFromRows(words, new Float32Array(3)));
  const ids = (...names: string[]) => names.map((name) => vocabulary.idOf(name));
  const document = note(
    'Seen by [Dr. Ida Ross]. Then [Eva] left.\n\nNone here.\n\n[Max Feld] came.',
  );
  const found = replacedEntitiesIn(
    { document, stoodFor: ['Low', 'Ana Bell', 'Ana'] },
    SCHEME,
    vocabulary,
  );
  const type = 'PHI';
  expect(found).toEqual([
    [{ start: 2, end: 6, type, ids: ids('Low') }],
    [{ start: 1, end: 2, type, ids: ids('Ana', 'Bell') }],
    [],
    [{ start: 0, end: 2, type, ids: ids('Ana') }],
  ]);
});
