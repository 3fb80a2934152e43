import { describe, expect, test } from '@jest/globals';
import { SHARE } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import {
  closedObject,
  constant,
  mapOf,
  nullable,
  objectOrNull,
  ofType,
  oneOf,
  pairOf,
  type TypeOf,
} from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';

const THING = closedObject({
  kind: oneOf(['near', 'far']),
  format: constant(1),
  interval: pairOf(SHARE),
  counts: mapOf(Type.Integer()),
  setting: ofType('string', 'null'),
  reason: nullable(Type.String()),
  next: objectOrNull(closedObject({ id: Type.String() })),
  notes: Type.Optional(Type.Array(Type.String())),
});
const parse = validator(THING, 'request-invalid', 'the thing');

const thing: TypeOf<typeof THING> = {
  ...{ kind: 'near', format: 1, interval: [0, 1], counts: { a: 1 } },
  ...{ setting: null, reason: null, next: null },
};

describe('a schema that gives its type', () => {
  test('takes what its type says', () => {
    expect(parse(thing)).toEqual(thing);
    const full = { ...thing, setting: 's', reason: 'r', next: { id: 'i' }, notes: ['n'] };
    expect(parse(full)).toEqual(full);
  });

  test.each([
    [{ kind: 'else' }, 'the thing: kind must be equal to one of the allowed values'],
    [{ kind: 1 }, 'the thing: kind must be string'],
    [{ format: 2 }, 'the thing: format must be equal to constant'],
    [{ interval: [0] }, 'the thing: interval must NOT have fewer than 2 items'],
    [{ interval: [0, 1, 1] }, 'the thing: interval must NOT have more than 2 items'],
    [{ counts: { a: 'x' } }, 'the thing: counts.a must be integer'],
    [{ counts: { 'a\nb': 'x' } }, 'the thing: counts.a key that is no name must be integer'],
    [
      { counts: { 'Ana García/Ruiz': 'x' } },
      'the thing: counts.a key that is no name must be integer',
    ],
    [{ setting: 1 }, 'the thing: setting must be string,null'],
    [{ reason: 1 }, 'the thing: reason must be string'],
    [{ next: {} }, "the thing: next must have required property 'id'"],
    [{ notes: null }, 'the thing: notes must be array'],
    [{ other: 1 }, 'the thing: it must NOT have additional properties (other)'],
    [
      { 'Ana García': 1 },
      'the thing: it must NOT have additional properties (a key that is no name)',
    ],
  ])('refuses %j, naming the field', (change, message) => {
    expect(() => parse({ ...thing, ...change })).toThrow(
      expect.objectContaining({ code: 'request-invalid', message }),
    );
  });

  test('has a type that is readonly at every depth', () => {
    const parsed = parse({ ...thing, counts: { a: 1 }, notes: ['n'] });
    // @ts-expect-error: a property
    parsed.kind = 'far';
    // @ts-expect-error: an entry of a map
    parsed.counts.a = 2;
    // @ts-expect-error: an array
    parsed.notes?.push('m');
    // @ts-expect-error: no value of the schema
    const kind: typeof parsed.kind = 'else';
    expect(kind).toBe('else');
  });
});
