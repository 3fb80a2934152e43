import { describe, expect, test } from '@jest/globals';
import { cleaned, type Resource } from './cleaned-resource.js';
import { NAME } from './tagged-names.js';

describe('dates move by one number of days a patient', () => {
  const DAY = '1980-06-15';
  const shiftOf = (resource: Resource): string => resource.recordedDate ?? resource.birthDate;
  const condition = (subject: unknown, rest: Resource = {}) => ({
    ...{ resourceType: 'Condition', recordedDate: DAY, ...rest },
    ...(subject === undefined ? {} : { subject }),
  });
  const byReference = (reference: string) => condition({ reference });
  const shifts = async (...resources: unknown[]): Promise<string[]> => {
    const entry = resources.map((resource) => ({ resource }));
    const found = await cleaned({ resourceType: 'Bundle', type: 'collection', entry });
    return found.entry.map(({ resource }: Resource) => shiftOf(resource));
  };
  /** Two of twenty patients move alike by chance; all do not. */
  const different = (count: number, of: (index: number) => unknown) =>
    shifts(...Array.from({ length: count }, (_, index) => of(index))).then(
      (dates) => new Set(dates).size,
    );

  test.each<[string, (index: number) => unknown]>([
    ['by a search', (index) => byReference(`Patient?identifier=urn:oid:1.2|${index}`)],
    ['by another search', (index) => byReference(`Patient?name=a&birthdate=${index}`)],
    [
      'by an identifier',
      (index) => condition({ identifier: { system: 'urn:x', value: `${index}` } }),
    ],
    ['as contained', (index) => condition({ reference: '#p' }, { id: `c${index}` })],
    ['as contained in one without id', () => condition({ reference: '#p' })],
    ['not at all, with an id', (index) => condition(undefined, { id: `c${index}` })],
    ['not at all', () => condition(undefined)],
    ['by a name alone', () => condition({ display: NAME })],
  ])('another one for each that is named %s', async (_how, of) => {
    expect(await different(20, of)).toBeGreaterThan(10);
  });

  test('the same one by a search and by the identifier', async () => {
    const [search, absolute, escaped, identifier] = await shifts(
      byReference('Patient?identifier=urn:oid:1.2|7788'),
      byReference('http://x.org/fhir/Patient?identifier=urn:oid:1.2|7788'),
      byReference('Patient?identifier=urn%3Aoid%3A1.2%7C7788'),
      condition({ identifier: { system: 'urn:oid:1.2', value: '7788' } }),
    );
    expect([absolute, escaped, identifier]).toEqual([search, search, search]);
  });

  test.each([
    ['Coverage', 'beneficiary', (date: string) => ({ period: { start: date } })],
    ['Task', 'for', (date: string) => ({ authoredOn: date })],
    ['EnrollmentRequest', 'candidate', (date: string) => ({ created: date })],
    ['ResearchSubject', 'individual', (date: string) => ({ period: { start: date } })],
  ])('the same one of a %s by its %s', async (resourceType, element, dated) => {
    const resource = { resourceType, [element]: { reference: 'Patient/23' }, ...dated(DAY) };
    const entry = [{ resource }, { resource: byReference('Patient/23') }];
    const found = await cleaned({ resourceType: 'Bundle', type: 'collection', entry });
    const [first, second] = found.entry.map((each: Resource) => each.resource);
    expect(first).toMatchObject(dated(second.recordedDate));
  });

  test('the same one by an identifier and by the id of the patient who has it', async () => {
    const identifier = [{ system: 'urn:oid:1.2', value: '7788' }];
    const [born, ...others] = await shifts(
      { resourceType: 'Patient', id: '23', identifier, birthDate: DAY },
      byReference('Patient/23'),
      byReference('Patient?identifier=urn:oid:1.2|7788'),
    );
    expect(others).toEqual([born, born]);
  });

  test('the same one by the address of a patient without an id', async () => {
    const fullUrl = 'urn:uuid:3fa85f64-5717-4562-b3fc-2c963f66afa6';
    const found = await cleaned({
      ...{ resourceType: 'Bundle', type: 'transaction' },
      entry: [
        { fullUrl, resource: { resourceType: 'Patient', birthDate: DAY } },
        { resource: byReference(fullUrl) },
      ],
    });
    expect(found.entry[1].resource.recordedDate).toBe(found.entry[0].resource.birthDate);
  });

  test.each([['c1'], [undefined]])('the same one of a contained patient, in %s', async (id) => {
    const contained = [{ resourceType: 'Patient', id: 'p', birthDate: DAY }];
    const rest = { contained, ...(id === undefined ? {} : { id }) };
    const found = await cleaned(condition({ reference: '#p' }, rest));
    expect(found.contained[0].birthDate).toBe(found.recordedDate);
  });
});
