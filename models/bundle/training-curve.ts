import { requireJson } from '../../proto/json-text.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, constant, mapOf, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';

/** What is not a number by the end of an epoch is null. */
const METRICS = mapOf(Type.Unsafe<number | null>({ type: ['number', 'null'] }), {
  maxProperties: 32,
  propertyNames: { minLength: 1, maxLength: 64 },
});

const CURVE = closedObject({
  format: constant('tacet-curve-1'),
  /** In the order in which they were trained. */
  epochs: Type.Array(
    closedObject({
      stage: Type.String({ minLength: 1, maxLength: 64 }),
      /** Of its stage, from 1 on. */
      epoch: Type.Integer({ minimum: 1 }),
      /** Means over the notes that were learned from, and over those that ended the training. */
      train: METRICS,
      validation: METRICS,
    }),
    { minItems: 1, maxItems: 2000 },
  ),
});

/** How a training went, epoch by epoch: `training.json` of a bundle, which may have none. */
export type TrainingCurve = TypeOf<typeof CURVE>;

const check = validator(CURVE, 'bundle-invalid', 'the training curve');

/** An epoch as the metrics of a run have it; what else they say of it is left out. */
type Epoch = TrainingCurve['epochs'][number];

/** Throws `bundle-invalid`, naming the field. */
export function trainingCurve(epochs: readonly Epoch[]): TrainingCurve {
  return check({
    format: 'tacet-curve-1',
    epochs: epochs.map(({ stage, epoch, train, validation }) => ({
      ...{ stage, epoch, train, validation },
    })),
  });
}

/** The bytes of its file. Throws `bundle-invalid`. */
export function writeTrainingCurve(curve: TrainingCurve): Uint8Array {
  return Buffer.from(`${JSON.stringify(check(curve))}\n`);
}

/** Throws `bundle-invalid`, naming the field. */
export function readTrainingCurve(bytes: Uint8Array): TrainingCurve {
  return check(requireJson(bytes, 'bundle-invalid', 'the training curve: expected JSON in UTF-8'));
}
