import { expect, test } from '@jest/globals';
import { writeModelCard } from '../../../models/bundle/model-card.js';
import { statedPipeline, statedRepresentation } from '../../services/registry/pages/realistic.js';

const limitsOf = (fields: ReturnType<typeof statedPipeline>) =>
  writeModelCard({ ...fields, created: '2026-01-01T00:00:00Z' })
    .split('## Limits')[1]
    ?.replaceAll(/\s+/g, ' ') ?? '';

test('the card of a representation promises three things apart, and hides no text', () => {
  const limits = limitsOf(statedRepresentation('letters', '2.0.0'));
  const [, labelled, missed, rest] = limits.split(' - ');
  expect(labelled).toMatch(/unless whoever encodes has it kept: what leaves does not depend on/);
  expect(missed).toMatch(/nobody labelled.* is encoded as it is.* a mean .* for one release/);
  expect(rest).toMatch(/rest of the text is not hidden.*lengths are shared in clear/);
  expect(limits).not.toMatch(/hides/);
});

test('the card of a pipeline that reads the text says what its weights may tell', () => {
  const limits = limitsOf(statedPipeline('lector', '1.0.0'));
  expect(limits).toContain('nothing bounds what its weights tell');
});

test.each([
  [{ objective: 'raw' }, /ended the training: on other notes it may do worse\.\n/],
  [
    { objective: 'pooled', 'notes read in clear': 12 },
    /worse, and so it may where the snapshot held releases of these/,
  ],
])('the scores of a training %j are of notes that ended it', (training, note) => {
  const fields = statedPipeline('lector', '1.0.0');
  const card = writeModelCard({ ...fields, training, created: '2026-01-01T00:00:00Z' });
  expect(card).toMatch(note);
});

test('a score stands with what it was measured on, and not with what was trained on', () => {
  const fields = statedPipeline('lector', '1.0.0');
  const card = writeModelCard({
    ...fields,
    training: { ...fields.training, corpus: 'Own notes' },
    scores: {
      'binary token F1, validation notes': 0.9,
      'supervised validation loss': 0.1,
      'binary token F1, rulings, not in training': 0.8,
    },
    created: '2026-01-01T00:00:00Z',
  });
  const [model] = JSON.parse(/^model-index: (.*)$/m.exec(card)?.[1] ?? '[]');
  const found = model.results.map(
    ({ dataset, metrics }: { dataset: { name: string }; metrics: { name: string }[] }) => [
      dataset.name,
      metrics.map(({ name }) => name),
    ],
  );
  expect(found).toEqual([
    ['Own notes, validation notes', ['binary token F1']],
    ['Own notes', ['supervised validation loss']],
    ['rulings, not in training', ['binary token F1']],
  ]);
});
