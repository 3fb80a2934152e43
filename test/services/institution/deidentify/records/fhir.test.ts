import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RESOURCE_TYPES } from '../../../../../services/institution/deidentify/records/fhir/element-definitions.js';
import { rulesOf } from '../../../../../services/institution/deidentify/records/fhir/element-rules.js';
import {
  formatExactJson,
  parseExactJson,
} from '../../../../../services/institution/deidentify/records/fhir/exact-json.js';
import { movedDate } from '../../../../../services/institution/deidentify/records/fhir/fhir-date.js';
import { cleaned } from './cleaned-resource.js';
import { NAME, taggedNames } from './tagged-names.js';

// Shapes after HL7's own examples: Patient/example, DocumentReference/example, DiagnosticReport/f001.
const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64');
const patient = {
  resourceType: 'Patient',
  id: '23',
  meta: { versionId: '1', lastUpdated: '2015-02-07T13:28:17.239+02:00' },
  text: {
    status: 'generated',
    div: `<div xmlns="http://www.w3.org/1999/xhtml"><p title="${NAME}" class="${NAME}" align="${NAME}" lang="en">Seen: <b>${NAME}</b> <i>Quint</i>&nbsp;&amp; wife</p></div>`,
  },
  identifier: [{ system: 'urn:oid:1.2.36', value: '12345', assigner: { display: NAME } }],
  active: true,
  name: [{ use: 'official', family: NAME, given: ['Ann'] }],
  telecom: [{ system: 'phone', value: '555 1234' }],
  gender: 'male',
  birthDate: '1974-12-25',
  _birthDate: { extension: [{ url: 'http://x', valueString: NAME }] },
  address: [{ use: 'home', line: [NAME], city: NAME, country: 'NL' }],
  photo: [{ contentType: 'image/gif', data: 'R0lG' }],
  extension: [{ url: 'http://x', valueString: NAME }],
  unheardOf: NAME,
  managingOrganization: { reference: 'Organization/1', display: NAME },
};

describe('a Patient', () => {
  test('keeps what is in the closed list, and loses, renames or moves the rest', async () => {
    const context = taggedNames();
    const found = await cleaned(patient, context);
    expect(found).toEqual({
      resourceType: 'Patient',
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      meta: {
        security: [expect.objectContaining({ code: 'PSEUDED' })],
      },
      text: {
        status: 'generated',
        div: '<div xmlns="http://www.w3.org/1999/xhtml"><p lang="en">Seen: <b>[NAME]</b><i></i>&nbsp;&amp; wife</p></div>',
      },
      identifier: [{ system: 'urn:oid:1.2.36', value: expect.stringMatching(/^[0-9a-f]{32}$/) }],
      active: true,
      gender: 'male',
      birthDate: expect.stringMatching(/^197[2-4]-\d\d-\d\d$/),
      address: [{ use: 'home', country: 'NL' }],
      managingOrganization: { reference: expect.stringMatching(/^Organization\/[0-9a-f]{32}$/) },
    });
    expect(JSON.stringify(found)).not.toContain(NAME);
    expect(context.counts.removed).toMatchObject({ extensions: 2, unknown: 4 });
  });

  test('has no date of birth where it comes to make them older than 89, whatever it was', async () => {
    const year = new Date().getUTCFullYear();
    for (let round = 0; round < 50; round++) {
      const { birthDate } = await cleaned({ ...patient, birthDate: `${year - 88}-12-31` });
      expect(birthDate ?? `${year}`).not.toMatch(`^${year - 90}`);
    }
  });

  test('older than 89 has no date of birth', async () => {
    expect(await cleaned({ ...patient, birthDate: '1901-01-01' })).not.toHaveProperty('birthDate');
  });

  test('has other identifiers and dates in every run, and the same ones within a run', async () => {
    const context = taggedNames();
    const [first, again] = [await cleaned(patient, context), await cleaned(patient, context)];
    expect(again).toEqual(first);
    expect((await cleaned(patient)).id).not.toBe(first.id);
  });
});

test('a DiagnosticReport has its conclusion and its forms read, and its codes kept', async () => {
  const found = await cleaned({
    resourceType: 'DiagnosticReport',
    contained: [
      {
        resourceType: 'Observation',
        id: 'r1',
        status: 'final',
        valueQuantity: { value: 1, unit: 'mg' },
      },
    ],
    status: 'final',
    code: {
      coding: [{ system: 'http://loinc.org', code: '58410-2', display: `CBC ${NAME}` }],
      text: NAME,
    },
    subject: { reference: 'Patient/23', display: NAME },
    issued: '2011-03-04T11:45:33+11:00',
    result: [{ reference: '#r1' }],
    conclusion: `${NAME} is well`,
    presentedForm: [{ contentType: 'text/plain', data: base64(NAME) }],
  });
  expect(found).toMatchObject({
    code: {
      coding: [{ system: 'http://loinc.org', code: '58410-2', display: 'CBC [NAME]' }],
      text: '[NAME]',
    },
    conclusion: '[NAME] is well',
  });
  expect(found.result[0].reference).toBe(`#${found.contained[0].id}`);
  expect(Buffer.from(found.presentedForm[0].data, 'base64').toString()).toBe('[NAME]');
});

test('a Bundle keeps its references together, and each patient one shift of dates', async () => {
  const uuid = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
  const found = await cleaned({
    resourceType: 'Bundle',
    type: 'transaction',
    link: [{ relation: 'self', url: `http://x?name=${NAME}` }],
    entry: [
      {
        fullUrl: `urn:uuid:${uuid}`,
        resource: { ...patient, birthDate: '1980-06-15' },
        request: { method: 'POST', url: 'Patient' },
      },
      {
        resource: {
          resourceType: 'Condition',
          subject: { reference: `urn:uuid:${uuid}` },
          recordedDate: '1980-06-15',
        },
      },
      {
        resource: {
          resourceType: 'Condition',
          subject: { reference: 'http://x.org/fhir/Patient/23' },
          recordedDate: '1980-06-15',
        },
      },
      {
        resource: { resourceType: 'Condition', subject: { reference: `Patient?name=${NAME}` } },
        request: { method: 'PUT', url: 'Condition?a=b' },
      },
    ],
  });
  const [first, byUuid, byUrl, bySearch] = found.entry;
  expect(first.fullUrl).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(first.fullUrl).not.toContain(uuid);
  expect(byUuid.resource.subject.reference).toBe(first.fullUrl);
  expect(byUrl.resource.subject.reference).toBe(`Patient/${first.resource.id}`);
  expect([byUuid.resource.recordedDate, byUrl.resource.recordedDate]).toEqual([
    first.resource.birthDate,
    first.resource.birthDate,
  ]);
  expect(bySearch).toEqual({ resource: { resourceType: 'Condition' }, request: { method: 'PUT' } });
  expect(JSON.stringify(found)).not.toContain(NAME);
});

describe('what no rule knows', () => {
  test.each([
    [
      'a type',
      { resourceType: 'Zacarias' },
      'record-unsupported',
      /^f: \/: no rule knows the type/,
    ],
    [
      'a type within',
      { resourceType: 'Bundle', entry: [{ resource: { resourceType: 'Parameters' } }] },
      'record-unsupported',
      /^f: \/entry\/0\/resource: Parameters is no resource/,
    ],
    [
      'a modifier',
      { resourceType: 'Patient', modifierExtension: [{ url: NAME }] },
      'record-unsupported',
      /"modifierExtension" may change/,
    ],
    [
      'implicit rules',
      { resourceType: 'Patient', implicitRules: NAME },
      'record-unsupported',
      /"implicitRules" may change/,
    ],
    ['no resource', { name: NAME }, 'record-invalid', /expected a resource/],
    [
      'a list in a list',
      { resourceType: 'Patient', name: [[NAME]] },
      'record-invalid',
      /^f: \/name: a list within/,
    ],
  ])('is refused without being quoted: %s', async (_, resource, code, message) => {
    const error = await cleaned(resource).catch((caught: Error) => caught);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect((error as unknown as Error).message).not.toContain(NAME);
  });

  test('leaves nothing of a name, wherever in any resource it stands as an identifier would', async () => {
    const elements = Array.from(RESOURCE_TYPES).flatMap((type) =>
      Object.keys(rulesOf(type) ?? {}).map((element) => [type, element] as const),
    );
    const wrapped = fc.constantFrom<(value: unknown) => unknown>(
      (value) => value,
      (value) => [value],
      (value) => ({ text: value, display: value, value, note: [value] }),
      (value) => [{ reference: value, coding: [{ display: value }], line: [value] }],
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...elements), wrapped, async ([type, element], wrap) => {
        const name = `${NAME} Quint`;
        const found = await cleaned({ resourceType: type, [element]: wrap(name) }).catch(
          (error: Error) => error.message,
        );
        expect(JSON.stringify(found)).not.toContain(NAME);
      }),
      { numRuns: 1000 },
    );
  });
});

test('a reference by an identifier follows the identifier', async () => {
  const found = await cleaned({
    resourceType: 'Encounter',
    identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '99' }],
    serviceProvider: { reference: 'Organization?identifier=http://hl7.org/fhir/sid/us-npi|99' },
  });
  expect(found.serviceProvider.reference).toBe(
    `Organization?identifier=http://hl7.org/fhir/sid/us-npi|${found.identifier[0].value}`,
  );
});

test.each([
  'https://clinic.example/patients/ann-lee-1943/',
  'https://clinic.example/Patient/7',
  'https://clinic.example/617-555-1234',
])('a reference by an identifier goes whose system no code may have: %s', async (system) => {
  const found = await cleaned({
    resourceType: 'Observation',
    subject: { reference: `Patient?identifier=${system}|7` },
    code: { coding: [{ system, code: 'x' }] },
  });
  expect(found).toEqual({
    ...{ resourceType: 'Observation', meta: expect.anything() },
    code: { coding: [{ code: 'x' }] },
  });
});

describe('dates', () => {
  test.each([
    ['2020-02-28', 2, '2020-03-01'],
    ['2020-02-28T23:59:00.5Z', 1, '2020-02-29T23:59:00.5Z'],
    ['2020-03-29T03:10:00+02:00', -60, '2020-01-29T03:10:00Z'],
    ['2020-01-29T03:10:00+01:00', 60, '2020-03-29T03:10:00Z'],
    ['2020-01', 30, '2020-02'],
    ['2020', -300, '2019'],
  ])('%s moved by %i days is %s, as precise as it was', (date, days, expected) => {
    expect(movedDate(date, days)).toBe(expected);
  });

  test.each(['', '1/2/2020', '2020-1-1', NAME, '0999-01-01'])('%j is none', (date) => {
    expect(movedDate(date, 1)).toBeUndefined();
  });

  test.each([
    ['2020-01-01', '2020-12-31'],
    ['2020-02-01', '2020-02-29'],
    ['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z'],
    ['2020-01', '2020-12'],
    ['2020-07-01', '2021-06'],
  ])(
    'a period of whole months says by how much they moved, and goes: %s to %s',
    async (start, end) => {
      const encounter = { resourceType: 'Encounter', subject: { reference: 'Patient/1' } };
      expect(await cleaned({ ...encounter, period: { start, end } })).not.toHaveProperty('period');
      const kept = await cleaned({ ...encounter, period: { start, end: '2021-03-17' } });
      expect(Object.keys(kept.period)).toEqual(['start', 'end']);
    },
  );

  test('a period of years alone, or of a day, says nothing and stays', async () => {
    for (const date of ['2020', '2020-01-01']) {
      const period = { start: date, end: date };
      const kept = await cleaned({ resourceType: 'Encounter', period });
      expect(Object.keys(kept.period)).toEqual(['start', 'end']);
    }
  });

  test('of an insurance, which end with a year, and of cards go', async () => {
    const period = { start: '2020-03-15', end: '2020-12-31' };
    const identifier = [{ value: '7', period }];
    const coverage = { costToBeneficiary: [{ exception: [{ type: { text: 'x' }, period }] }] };
    for (const resource of [
      { resourceType: 'Coverage', identifier, period, ...coverage },
      { resourceType: 'ExplanationOfBenefit', identifier, benefitPeriod: period },
      { resourceType: 'CoverageEligibilityResponse', insurance: [{ benefitPeriod: period }] },
    ])
      expect(JSON.stringify(await cleaned(resource))).not.toMatch(/period/i);
  });

  test.each([
    { resourceType: 'Immunization', expirationDate: '2021-06-30' },
    { resourceType: 'Device', manufactureDate: '2019-06-30', expirationDate: '2021-06-30' },
    { resourceType: 'Medication', batch: { expirationDate: '2021-06-30' } },
    { resourceType: 'Substance', expiry: '2021-06-30' },
  ])('of what expires at the end of a month go: $resourceType', async (resource) => {
    const holder = { resourceType: 'MedicationRequest', contained: [{ id: 'c', ...resource }] };
    const [found] = (await cleaned({ ...holder, subject: { reference: 'Patient/1' } })).contained;
    expect(Object.keys(found)).toEqual(['resourceType', 'id']);
  });

  test.each(['9999-12-31', '1900-01-01', '2199-12-31T00:00:00Z', '9999'])(
    '%s, which stands where none is known, says of no other by how much it was moved',
    async (date) => {
      const period = { start: '2020-05-03', end: date };
      const subject = { reference: 'Patient/1' };
      const encounter = { resourceType: 'Encounter', subject, period };
      const clean = await cleaned(encounter);
      expect(clean.period).toEqual({ start: expect.any(String) });
    },
  );
});

describe('numbers', () => {
  test('are written as they were read', () => {
    const json = '{"a":1.50,"b":[-0.0,1e400,12345678901234567890],"c":"2.50","d":true}';
    expect(formatExactJson(parseExactJson(json))).toBe(json);
  });

  test.each(['QUJD', '\\n', '\\\\', '\\"1'])(
    'are read beside an attachment of %j times four million',
    (part) => {
      const json = `{"data":"${part.repeat(4_000_000)}","size":1.50}`;
      expect(formatExactJson(parseExactJson(json)) === json).toBe(true);
    },
  );

  test.each(['{"a":"\\u0000#x"}', '{', '{"a":"\u0000"}'])('%j is not read', (json) => {
    expect(parseExactJson(json)).toBeUndefined();
  });
});

describe('what a rule keeps', () => {
  test.each([
    [
      'in an attachment',
      `text/plain; name="${NAME}.txt"; charset=utf-8`,
      'text/plain; charset=utf-8',
    ],
    ['without a character set', `text/plain;name=${NAME}`, 'text/plain'],
  ])('of a kind of data is no file name, %s', async (_where, contentType, stated) => {
    const data = base64('nothing');
    const document = {
      resourceType: 'DocumentReference',
      content: [{ attachment: { contentType, data } }],
    };
    expect((await cleaned(document)).content[0].attachment.contentType).toBe(stated);
    const binary = await cleaned({ resourceType: 'Binary', contentType, data });
    expect(binary.contentType).toBe(stated);
  });

  test.each([
    [
      'an age of 90 years',
      { value: 90, unit: 'years', system: 'http://unitsofmeasure.org', code: 'a' },
    ],
    ['an age without a unit', { value: 93 }],
    ['an age of 1,200 months', { value: 1200, code: 'mo' }],
  ])('is not %s', async (_what, onsetAge) => {
    const context = taggedNames();
    const found = await cleaned(
      { resourceType: 'Condition', onsetAge, abatementAge: { value: 89 } },
      context,
    );
    expect(found).not.toHaveProperty('onsetAge');
    expect(found.abatementAge).toEqual({ value: 89 });
    expect(context.counts.removed).toMatchObject({ identifying: 1 });
  });

  test('is no range of ages that ends over 89, and any other range', async () => {
    const range = { low: { value: 85 }, high: { value: 95 } };
    const found = await cleaned({ resourceType: 'Condition', onsetRange: range });
    expect(found).not.toHaveProperty('onsetRange');
    const other = await cleaned({ resourceType: 'Observation', valueRange: range });
    expect(other.valueRange).toEqual(range);
  });

  test('is no quantity of over 89 years, and any other quantity', async () => {
    const found = await cleaned({
      resourceType: 'Observation',
      valueQuantity: { value: 92, unit: 'years', code: 'a' },
      referenceRange: [{ high: { value: 92, unit: 'mg', code: 'mg' } }],
    });
    expect(found).not.toHaveProperty('valueQuantity');
    expect(found.referenceRange).toEqual([{ high: { value: 92, unit: 'mg', code: 'mg' } }]);
  });

  test('is no reference to a type that FHIR does not have', async () => {
    const found = await cleaned({
      resourceType: 'Condition',
      subject: { reference: `${NAME}/1` },
      encounter: { reference: 'Encounter/1' },
    });
    expect(found).not.toHaveProperty('subject');
    expect(found.encounter.reference).toMatch(/^Encounter\/[0-9a-f]{32}$/);
  });
});
