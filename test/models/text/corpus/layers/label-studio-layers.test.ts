import { expect, test } from '@jest/globals';
import { changed, minItem, PHI, SECRET, task } from './layered-files.js';

test('of Label Studio one task stays one, numbers of predictions stay, and JSON_MIN keeps its lists', () => {
  const one = JSON.parse(changed('label-studio', JSON.stringify(task), '[N]').format());
  expect(one).toMatchObject({ id: 12, predictions: [{ model_version: 'tacet' }] });
  const numbered = JSON.stringify([{ ...task, predictions: [4] }]);
  for (const instead of [undefined, '[N]']) {
    const [{ predictions }] = JSON.parse(changed('label-studio', numbered, instead).format());
    expect(predictions).toEqual([4, expect.objectContaining({ model_version: 'tacet' })]);
  }
  const items = JSON.stringify([minItem]);
  const [annotated] = JSON.parse(changed('label-studio', items).format());
  const found = annotated.sentence.slice(1);
  expect(annotated).toEqual({ ...minItem, sentence: [...minItem.sentence, ...found] });
  expect(found).toMatchObject(PHI.map((text) => ({ text, labels: ['PHI'] })));
  const [{ text, sentence, name, ...others }] = JSON.parse(
    changed('label-studio', items, '[N]').format(),
  );
  const points = [...(text as string)];
  const shown = [...sentence, ...name].map(({ start, end }) => points.slice(start, end).join(''));
  expect(shown).toEqual(['Fever', '[N]', '[N]', '[N]', '[N]']);
  expect(name).toEqual([{ start: 2, end: 5, labels: ['NAME'] }]);
  expect(others).toEqual({ id: 12, annotator: 1, annotation_id: 5, lead_time: 2.5 });
});

test('how sure a model was of a text goes with it', () => {
  const content = JSON.stringify([{ ...task, predictions: [{ id: 6, score: 0.75, result: [] }] }]);
  for (const [instead, score] of [
    [undefined, { score: 0.75 }],
    ['[N]', {}],
  ] as const) {
    const [{ predictions }] = JSON.parse(changed('label-studio', content, instead).format());
    expect(predictions[0]).toEqual({ id: 6, ...score, result: [] });
  }
});

test('names of controls that could be words of the text are not taken for what was found', () => {
  const regions = task.annotations[0]?.result.map((each) => ({ ...each, from_name: SECRET }));
  const annotations = [{ ...task.annotations[0], result: regions }];
  const content = JSON.stringify([{ ...task, annotations }]);
  const written = changed('label-studio', content, '[NAME]').format();
  expect(written).not.toContain(SECRET);
  expect(JSON.parse(written)[0].predictions[0].result[0].from_name).toBe('label');
  expect(changed('label-studio', content).format()).toContain(`"from_name":"${SECRET}","to_name"`);
});
