import { beforeEach, describe, expect, test } from '@jest/globals';
import { deidentifyResource } from '../../../../../services/institution/deidentify/records/fhir/deidentify-resource.js';
import { cleaned, type Resource } from './cleaned-resource.js';
import { NAME, taggedNames } from './tagged-names.js';

const unknown = { resourceType: 'Parameters', id: 'a', parameter: [{ name: NAME }] };
const condition = { resourceType: 'Condition', encounter: { reference: 'Parameters/a' } };

describe('an entry of a Bundle that cannot be de-identified', () => {
  const bundle = (...resources: unknown[]) => ({
    ...{ resourceType: 'Bundle', type: 'collection' },
    entry: resources.map((resource) => ({ resource })),
  });
  const skipped: object[] = [];
  beforeEach(() => void skipped.splice(0));
  const withoutBad = async (value: unknown, context = taggedNames()): Promise<Resource> =>
    deidentifyResource(value, context, 'f', { onSkipped: (entry) => void skipped.push(entry) });

  test('is left out alone and counted, and what refers to it is renamed', async () => {
    const context = taggedNames();
    const bad = [
      unknown,
      { resourceType: NAME },
      { resourceType: 'Patient', modifierExtension: [{ url: NAME }] },
      { name: NAME },
      { resourceType: 'Condition', contained: [unknown] },
    ];
    const found = await withoutBad(bundle(condition, ...bad, condition), context);
    expect(found.entry).toHaveLength(2);
    expect(found.entry[0]).toEqual(found.entry[1]);
    expect(found.entry[0].resource.encounter.reference).toMatch(/^Parameters\/[0-9a-f]{32}$/);
    expect(context.counts.removed).toEqual({ entries: bad.length });
    expect(JSON.stringify([found, skipped])).not.toContain(NAME);
    expect(skipped).toEqual([
      { pointer: '/entry/1', resourceType: 'Parameters', code: 'record-unsupported' },
      { pointer: '/entry/2', code: 'record-unsupported' },
      { pointer: '/entry/3', resourceType: 'Patient', code: 'record-unsupported' },
      { pointer: '/entry/4', code: 'record-invalid' },
      { pointer: '/entry/5', resourceType: 'Condition', code: 'record-unsupported' },
    ]);
  });

  test('of a Bundle within a Bundle leaves out no other', async () => {
    const found = await withoutBad(bundle(bundle(condition, unknown), condition));
    expect(found.entry).toHaveLength(2);
    expect(found.entry[0].resource.entry).toHaveLength(1);
    expect(skipped).toMatchObject([{ pointer: '/entry/0/resource/entry/1' }]);
  });

  test('is named by its index and its type where all are asked for', async () => {
    await expect(cleaned(bundle(condition, unknown))).rejects.toMatchObject({
      code: 'record-unsupported',
      message:
        'f: /entry/1/resource: Parameters is no resource that is safe to share: what it holds has a meaning to one ' +
        'operation alone; leave it out, as --skip-bad does',
    });
  });

  test('is not named by what is no type of FHIR', async () => {
    const message = await cleaned(bundle({ resourceType: NAME })).catch((error) => error.message);
    expect(message).toMatch(
      /^f: \/entry\/0\/resource: no rule knows the type of this resource, which is none/,
    );
  });

  test('is not what no entry is: a whole Bundle with a modifier is refused', async () => {
    const whole = { ...bundle(condition), implicitRules: 'http://x' };
    await expect(withoutBad(whole)).rejects.toMatchObject({ code: 'record-unsupported' });
  });

  test('is not what the pipeline fails with', async () => {
    const context = taggedNames();
    context.text = () => Promise.reject(new Error('no memory'));
    const note = { resourceType: 'Condition', note: [{ text: 'x' }] };
    await expect(withoutBad(bundle(note), context)).rejects.toThrow('no memory');
  });
});
