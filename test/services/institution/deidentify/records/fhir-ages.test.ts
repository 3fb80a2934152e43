import { describe, expect, test } from '@jest/globals';
import { cleaned } from './cleaned-resource.js';
import { taggedNames } from './tagged-names.js';

describe('an age over 89 years', () => {
  const UCUM = 'http://unitsofmeasure.org';
  test.each([
    ['its unit, with a code of another system', 97, { unit: 'years', code: '258707000' }],
    ['its code, with a unit of another language', 97, { unit: 'lat', code: 'a', system: UCUM }],
    ['words', 97, { unit: 'years old' }],
    ['an annotation', 97, { code: '{years}' }],
    ['months', 1164, { code: 'mo', system: UCUM }],
    ['a word for months', 1164, { unit: 'meses' }],
    ['weeks', 5044, { unit: 'weeks' }],
    ['days', 35_405, { code: 'd' }],
  ])('is found by %s, in whatever holds a quantity', async (_by, value, unit) => {
    const quantity = { value, ...unit };
    const context = taggedNames();
    const found = await cleaned(
      {
        resourceType: 'Observation',
        valueQuantity: quantity,
        valueRange: { low: { ...quantity, value: value / 2 }, high: quantity },
        valueRatio: { numerator: quantity, denominator: { value: 1 } },
        component: [{ valueSampledData: { origin: quantity, dimensions: 1 } }],
      },
      context,
    );
    expect(found).not.toHaveProperty('valueQuantity');
    expect(found.valueRange).toEqual({ low: { ...quantity, value: value / 2 } });
    expect(found.valueRatio).toEqual({ denominator: { value: 1 } });
    expect(found.component).toEqual([{ valueSampledData: { dimensions: 1 } }]);
    expect(context.counts.removed.identifying).toBe(4);
  });

  test('is found by the unit of the other end of its range', async () => {
    const valueRange = { low: { value: 80, unit: 'years' }, high: { value: 97 } };
    const found = await cleaned({ resourceType: 'Observation', valueRange });
    expect(found.valueRange).toEqual({ low: valueRange.low });
  });

  test.each([
    [97, 'mg'],
    [97, 'a.u.'],
    [97, 'yards'],
    [97, 'ml'],
    [97, 'mo'],
    [120, 'min'],
    [97, 'a-1'],
    [89, 'years'],
    [5000, 'W'],
  ])('is not %d %s', async (value, unit) => {
    const valueQuantity = { value, unit, code: unit };
    expect((await cleaned({ resourceType: 'Observation', valueQuantity })).valueQuantity).toEqual(
      valueQuantity,
    );
  });
});
