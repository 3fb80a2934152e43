import { describe, expect, test } from '@jest/globals';
import { operationOf } from '../../../services/encoder/fhir-operation.js';

const patient = { resourceType: 'Patient' };
const bundle = { resourceType: 'Bundle' };
const parameters = (...parameter: object[]) => ({ resourceType: 'Parameters', parameter });
const asked = (body: Parameters<typeof operationOf>[0]) => operationOf(body, 'clean');
const SAFE_HARBOR = 'HHS_SAFE_HARBOR_DETERMINISTIC_METHOD';

describe('a call of the FHIR operation', () => {
  test('hands over a resource, or Parameters with one', () => {
    expect(asked(patient)).toMatchObject({ resource: patient, treatment: 'tag' });
    const handed = asked(parameters({ name: 'resource', resource: patient }));
    expect(handed).toMatchObject({ resource: patient, treatment: 'tag' });
  });

  test.each(['valueString', 'valueCode'])(
    "may have the guide's shape, its policy as %s",
    (value) => {
      const data = { name: 'identifiableData', resource: bundle };
      const { resource, treatment, answer } = asked(
        parameters(data, { name: 'policy', [value]: 'mask' }),
      );
      expect([resource, treatment]).toEqual([bundle, 'mask']);
      expect(answer(bundle)).toEqual(parameters({ name: 'clean', resource: bundle }));
    },
  );

  test.each([
    ['no resource', parameters(), /expected one parameter "resource"/],
    [
      'a policy that would be passed over',
      parameters(
        { name: 'resource', resource: patient },
        { name: 'policy', valueString: SAFE_HARBOR },
      ),
      /one that is not known/,
    ],
    [
      'what nothing knows',
      parameters({ name: 'identifiableData', resource: bundle }, { name: 'Ann' }),
      /one that is not known/,
    ],
    [
      'Safe Harbor',
      parameters(
        { name: 'identifiableData', resource: bundle },
        { name: 'policy', valueString: SAFE_HARBOR },
      ),
      /HHS's Safe Harbor is not among/,
    ],
  ])('with %s is refused', (_, body, message) => {
    expect(() => asked(body)).toThrow(message);
    expect(() => asked(body)).not.toThrow(/Ann/);
  });
});
