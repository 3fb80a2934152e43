import { describe, expect, test } from '@jest/globals';
import {
  capabilityStatement,
  OPERATIONS,
  operationDefinition,
} from '../../../services/encoder/fhir-capabilities.js';
import { operationOf } from '../../../services/encoder/fhir-operation.js';
import { elementsOf } from '../../../services/institution/deidentify/records/fhir/element-definitions.js';

type Json = Readonly<Record<string, unknown>>;

const BASE = 'https://encoder.example/fhir';
const SINCE = '2026-01-02T03:04:05.678Z';
const statement = capabilityStatement(BASE, SINCE) as Json;
const definitions = OPERATIONS.map((each) => operationDefinition(BASE, each) as Json);

/** Whether values are of a primitive datatype (FHIR R4, section 2.24.0.1). */
const PRIMITIVES: Readonly<Record<string, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  code: (value) => /^\S+( \S+)*$/.test(value as string),
  string: (value) => /\S/.test(value as string),
  markdown: (value) => /\S/.test(value as string),
  integer: Number.isInteger,
  dateTime: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value as string),
  uri: (value) => URL.canParse(value as string),
  url: (value) => URL.canParse(value as string),
  canonical: (value) => URL.canParse(value as string),
};

/** Paths of what the definitions of a type have not, or have as another datatype. */
function strays(type: string, value: Json): string[] {
  const elements = elementsOf(type);
  return Object.entries(value).flatMap(([name, of]) => {
    const types = elements?.get(name);
    if (types === undefined) return [`${type}.${name}`];
    return [of].flat().flatMap((each) => {
      const found = types.map((datatype) => {
        const isPrimitive = PRIMITIVES[datatype];
        if (isPrimitive !== undefined) return isPrimitive(each) ? [] : [`${type}.${name}`];
        return strays(datatype, each as Json);
      });
      return found.some(({ length }) => length === 0) ? [] : (found[0] ?? []);
    });
  });
}

describe('what the service says of itself to clients of FHIR', () => {
  test("has the elements of FHIR's definitions alone, each of its datatype", () => {
    for (const { resourceType, id: _, ...elements } of [statement, ...definitions])
      expect(strays(resourceType as string, elements)).toEqual([]);
    expect(strays('CapabilityStatement', { rest: [{ mode: 'server', more: 1 }] })).toHaveLength(1);
  });

  test('holds what R4 wants of a statement of one server', () => {
    // CapabilityStatement: 1..1 status, date, kind, fhirVersion; 1..* format; cpb-1, cpb-2, cpb-15.
    expect(statement).toMatchObject({
      ...{ status: 'active', date: SINCE, kind: 'instance', fhirVersion: '4.0.1' },
      ...{ software: { name: expect.any(String) }, implementation: { url: BASE } },
      ...{ format: expect.arrayContaining(['application/fhir+json']), rest: [{ mode: 'server' }] },
    });
  });

  test('names the definition of every operation', () => {
    const [{ operation }] = statement.rest as [{ operation: Json[] }];
    expect(operation.map(({ name, definition }) => [name, definition])).toEqual(
      definitions.map(({ code, url }) => [code, url]),
    );
  });

  test.each(definitions.map((each) => [each.code, each] as const))(
    'holds what R4 wants of the definition of %s',
    (_, definition) => {
      // OperationDefinition: opd-0 of its name, and who may be asked; 1..1 name, use, min and max of parameters.
      expect(definition.name).toMatch(/^[A-Z]\w{0,254}$/);
      expect(definition).toMatchObject({ system: true, type: false, instance: false });
      for (const parameter of definition.parameter as Json[])
        expect(parameter).toMatchObject({
          min: 0,
          max: '1',
          use: expect.stringMatching(/^in|out$/),
        });
    },
  );

  test('names every parameter that the operation takes, and what it is answered by', () => {
    const patient = { resourceType: 'Patient' };
    const bundle = { resourceType: 'Bundle' };
    for (const [index, { answerName }] of OPERATIONS.entries()) {
      const named = (use: string) =>
        ((definitions[index] as Json).parameter as Json[])
          .filter((each) => each.use === use)
          .map(({ name }) => name as string);
      const [resource, data, policy] = named('in');
      const asked = (...parameter: object[]) =>
        operationOf({ resourceType: 'Parameters', parameter }, answerName);
      expect(asked({ name: resource, resource: patient }).resource).toBe(patient);
      const guides = asked({ name: data, resource: bundle }, { name: policy, valueString: 'mask' });
      expect(guides).toMatchObject({ resource: bundle, treatment: 'mask' });
      expect(guides.answer(bundle)).toMatchObject({ parameter: [{ name: named('out')[1] }] });
    }
  });
});
