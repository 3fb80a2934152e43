import { describe, expect, test } from '@jest/globals';
import { cleaned } from './cleaned-resource.js';
import { taggedNames } from './tagged-names.js';

describe('a code', () => {
  const withCode = async (code: string, context = taggedNames()) => {
    const coding = [{ display: 'x', code, version: code }];
    const resource = { resourceType: 'Observation', status: code, code: { coding } };
    const meta = { tag: [{ display: 'x', code }] };
    const found = await cleaned({ ...resource, meta }, context);
    return [found.status, found.code.coding[0].code, found.meta.tag?.[0].code] as const;
  };

  test.each([
    'zebulon.quackenbush@mail.org',
    '123-45-6789',
    '+1-555-123-4567',
    '+442079460958',
    '555-123-4567',
    '4111-1111-1111-1111',
    'GB82WEST12345698765432',
    'Quackenbush^Zebulon',
    'quackenbush@house',
    'http://x.org/fhir/Patient/12',
    'Patient/12',
    '12345678Z',
    'X1234567L',
  ])('is not %s, which is counted', async (code) => {
    const context = taggedNames();
    expect(await withCode(code, context)).toEqual([undefined, undefined, undefined]);
    expect(context.counts.removed.malformed).toBe(4);
  });

  test.each([
    ...['21112-8', '258707000', '1234567890', '5551234567', 'E11.9', 'final', 'mm[Hg]', '10*3/uL'],
    ...['10^3/uL', 'x10^9/L', '2.16.840.1.113883.6.96', '2024-03', '4.0.1', '0002-8215-01'],
    ...['900000000000207008', '4111111111111111', 'en-US', 'm/s2', '{score}', '68382-0112-01'],
  ])('may be %s', async (code) => {
    expect(await withCode(code)).toEqual([code, code, code]);
  });

  test.each([
    '03/05/2020',
    '3/5/43',
    '2020/05/03',
    '03.05.2020',
    '12Feb1943',
    '12-feb-1943',
    'Feb12,1943',
    '3.Mayo.2020',
    '20200503',
    '03051943',
    '20200503120000+0100',
  ])('without a code system is not the day %s, which a version may be', async (code) => {
    const context = taggedNames();
    expect(await withCode(code, context)).toEqual([undefined, undefined, undefined]);
    expect(context.counts.removed.malformed).toBe(3);
  });

  test.each([
    ['20200503', true],
    ['19430211', true],
    ['22298006', true],
    ['8867-4', true],
    ['I10', true],
    ['C09AA02', true],
    ['64-17-5', true],
    ['03/05/2020', false],
    ['12Feb1943', false],
    ['20200503T1200', false],
  ])('%s beside its code system: whether it may stay, %s', async (code, isKept) => {
    const coding = [{ system: 'http://snomed.info/sct', code, display: 'x' }];
    const found = await cleaned({ resourceType: 'Observation', code: { coding } });
    expect(found.code.coding[0].code).toBe(isKept ? code : undefined);
    const compose = { include: [{ system: 'http://x.org/s', concept: [{ code, display: 'x' }] }] };
    const set = await cleaned({ resourceType: 'ValueSet', compose });
    expect(set.compose.include[0].concept[0].code).toBe(isKept ? code : undefined);
  });

  test('a name for a code system is none', async () => {
    const coding = [{ system: 'Ward 3', code: '19430211', display: 'x' }];
    const found = await cleaned({ resourceType: 'Observation', code: { coding } });
    expect(found.code.coding[0].code).toBeUndefined();
  });

  test.each([
    ['http://hl7.org/fhir/StructureDefinition/Patient|4.0.1', true],
    ['http://snomed.info/sct/731000124108', true],
    ['urn:oid:2.16.840.1.113883.6.96', true],
    ['http://x.org/123-45-6789', false],
    ['http://x.org/555-123-4567', false],
    ['http://x.org/zebulon@mail.org', false],
  ])('%s: whether it may be an address, %s', async (profile, isKept) => {
    const found = await cleaned({ resourceType: 'Patient', meta: { profile: [profile] } });
    expect(found.meta.profile).toEqual(isKept ? [profile] : undefined);
  });

  test('the UUID of a record is renamed as an address, too', async () => {
    const uuid = 'urn:uuid:3fa85f64-5717-4562-b3fc-2c963f66afa6';
    const found = await cleaned({ resourceType: 'Patient', meta: { profile: [uuid] } });
    expect(found.meta.profile).toEqual([expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/)]);
    expect(found.meta.profile).not.toEqual([uuid]);
  });

  test.each([
    ['221B-Baker-St', false],
    ['US1', false],
    ['x'.repeat(65), false],
    ['NL', true],
    ['United States', true],
    ["Côte d'Ivoire", true],
    ['Guinea-Bissau', true],
  ])('%s: whether it may be a country, %s', async (country, isKept) => {
    const found = await cleaned({ resourceType: 'Patient', address: [{ use: 'home', country }] });
    expect(found.address[0].country).toBe(isKept ? country : undefined);
  });
});
