import { TacetError } from '../../proto/errors.js';

/** Numbers for some places of a network's weights, or, without places, for all of them in order. */
export interface WeightUpdate {
  /** Ascending, each once. */
  readonly places?: Uint32Array | undefined;
  readonly values: Float32Array;
}

/** The change of each of `count` weights, zero where none was sent. */
export function changesOfAll({ places, values }: WeightUpdate, count: number): Float32Array {
  if (!places) return values;
  const all = new Float32Array(count);
  overwrite(all, { places, values });
  return all;
}

/** Of changes of all weights [N] those that an update has. */
export function sentOf({ places }: WeightUpdate, changes: Float32Array): WeightUpdate {
  if (!places) return { values: changes };
  return { places, values: Float32Array.from(places, (place) => changes[place] as number) };
}

/** Bytes of an update as it travels: four a number, four a place. */
export function updateBytes({ places, values }: WeightUpdate): number {
  return values.byteLength + (places?.byteLength ?? 0);
}

/**
 * Throws `federation-update-invalid` unless an update fits `count` weights: as many values as places, places
 * ascending and in range, every value finite.
 */
export function requireFitting({ places, values }: WeightUpdate, count: number): void {
  const expected = places ? places.length : count;
  if (values.length !== expected)
    throw invalid(`${values.length} values for ${expected} weights; send one for each`);
  const unordered = places?.findIndex(
    (place, i) => place >= count || (i > 0 && place <= (places[i - 1] as number)),
  );
  if (unordered !== undefined && unordered >= 0)
    throw invalid(
      `place ${unordered} of the update is ${places?.[unordered]}; ` +
        `expected ascending places under ${count}`,
    );
  const spoilt = values.findIndex((value) => !Number.isFinite(value));
  if (spoilt >= 0)
    throw invalid(
      `value ${spoilt} is not a finite number; the worker's training diverged, lower its learning rate`,
    );
}

/** The first place of an update whose weight would not be finite with its value added in float32; -1 for none. */
export function overflowOf(weights: Float32Array, { places, values }: WeightUpdate): number {
  return values.findIndex((value, i) => {
    const weight = weights[places ? (places[i] as number) : i] as number;
    return !Number.isFinite(Math.fround(weight + value));
  });
}

/**
 * Throws `federation-update-invalid` unless an update fits these weights, and each of them is finite with its change
 * added.
 */
export function requireAddable(weights: Float32Array, update: WeightUpdate): void {
  requireFitting(update, weights.length);
  const spoilt = overflowOf(weights, update);
  if (spoilt >= 0)
    throw invalid(
      `value ${spoilt} and its weight add up to no finite number; the worker's training diverged, lower its learning rate`,
    );
}

/** Puts the values of an update in their places. */
export function overwrite(weights: Float32Array, { places, values }: WeightUpdate): void {
  if (!places) weights.set(values);
  else for (let i = 0; i < places.length; i++) weights[places[i] as number] = values[i] as number;
}

function invalid(message: string): TacetError {
  return new TacetError('federation-update-invalid', message);
}
