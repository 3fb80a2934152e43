import { describe, expect, test } from '@jest/globals';
import { cleaned, type Resource } from './cleaned-resource.js';
import { NAME, taggedNames } from './tagged-names.js';

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
    [
      'Coverage',
      'beneficiary',
      (date: string) => ({ contained: [{ resourceType: 'Condition', recordedDate: date }] }),
    ],
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

  test('the same one of appointments by the patient who takes part, who is the only one', async () => {
    const appointment = (id: string, ...actors: string[]) => ({
      ...{ resourceType: 'Appointment', id, created: DAY },
      participant: actors.map((reference) => ({ actor: { reference } })),
    });
    const context = taggedNames();
    const condition = await cleaned(byReference('Patient/23'), context);
    for (const id of ['a1', 'a2', 'a3']) {
      const found = await cleaned(appointment(id, 'Practitioner/1', 'Patient/23'), context);
      expect(found.created).toBe(condition.recordedDate);
    }
    const shared = Array.from({ length: 20 }, (_, i) =>
      cleaned(appointment(`b${i}`, 'Patient/23', 'Patient/24'), context),
    );
    const dates = (await Promise.all(shared)).map(({ created }) => created);
    expect(new Set(dates).size).toBeGreaterThan(10);
  });

  test('the same one of provenances, whose targets in the bundle are of the patient', async () => {
    const fullUrl = 'urn:uuid:3fa85f64-5717-4562-b3fc-2c963f66afa6';
    const provenance = (...targets: string[]) => ({
      ...{ resourceType: 'Provenance', occurredDateTime: DAY },
      target: targets.map((reference) => ({ reference })),
    });
    const found = await cleaned({
      ...{ resourceType: 'Bundle', type: 'transaction' },
      entry: [
        { resource: provenance('Condition/c1') },
        { fullUrl, resource: { resourceType: 'Patient', birthDate: DAY } },
        { resource: condition({ reference: fullUrl }, { id: 'c1' }) },
        ...[['Condition/c1'], [fullUrl], [fullUrl, 'Condition/c1', 'Organization/o']].map(
          (targets) => ({ resource: provenance(...targets) }),
        ),
      ],
    });
    const dates = found.entry.map(
      ({ resource }: Resource) => resource.occurredDateTime ?? shiftOf(resource),
    );
    expect(new Set(dates).size).toBe(1);
  });

  test('another one of when a document of a patient was put together, and of no other bundle', async () => {
    const context = taggedNames();
    const bundle = (type: string, number: number, id?: string) => ({
      ...{ resourceType: 'Bundle', type, timestamp: `${DAY}T10:00:00Z`, ...(id && { id }) },
      entry: [{ resource: byReference(`Patient/${number}`) }],
    });
    const found = await Promise.all(
      Array.from({ length: 20 }, (_, i) => cleaned(bundle('document', i), context)),
    );
    const days = found.map(({ timestamp }) => timestamp.slice(0, 10));
    expect(new Set(days).size).toBeGreaterThan(10);
    expect(
      found.filter(({ entry }, i) => shiftOf(entry[0].resource) === days[i]).length,
    ).toBeLessThan(10);
    const again = await cleaned(bundle('document', 0, 'another'), context);
    expect(again.timestamp).toBe(found[0]?.timestamp);
    for (const type of ['collection', 'searchset', 'message'])
      expect(await cleaned(bundle(type, 0), context)).not.toHaveProperty('timestamp');
  });

  test.each([['c1'], [undefined]])('the same one of a contained patient, in %s', async (id) => {
    const contained = [{ resourceType: 'Patient', id: 'p', birthDate: DAY }];
    const rest = { contained, ...(id === undefined ? {} : { id }) };
    const found = await cleaned(condition({ reference: '#p' }, rest));
    expect(found.contained[0].birthDate).toBe(found.recordedDate);
  });
});
