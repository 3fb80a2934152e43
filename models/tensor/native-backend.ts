import { BufferPool } from './buffer-pool.js';
import { MathBackendCPU } from './tensor-library.js';
import * as tf from './tf.js';

/** bfloat16 has 8 bits of mantissa; sums are float32 in both. */
export const PRECISIONS = ['float32', 'bfloat16'] as const;
export type Precision = (typeof PRECISIONS)[number];

type DataId = object;
type Stored = ReturnType<MathBackendCPU['data']['get']>;

/**
 * tfjs's CPU backend with buffers that are used again: fresh memory costs ten times what most
 * kernels take to fill it. A buffer goes back to the pool when its tensor is disposed, unless its
 * array was ever handed out, to a caller of `dataSync` or to one of tfjs's own kernels, which may
 * keep it or share it with another tensor.
 */
export class NativeBackend extends MathBackendCPU {
  /** What products of passes without a gradient are made of. */
  precision: Precision = 'float32';
  private readonly storage: UnsharedStorage;
  private readonly pool = new BufferPool();
  /** The pool's buffers under tensors whose arrays nobody else has seen. */
  private readonly unshared: WeakMap<DataId, ArrayBuffer>;
  private packed = new WeakMap<DataId, Packed>();

  constructor() {
    super();
    this.unshared = new WeakMap();
    this.storage = new UnsharedStorage(this, tf.engine(), (id) => this.share(id));
    this.data = this.storage;
  }

  /** A new float32 tensor and its array, whose contents are arbitrary: the caller fills it. */
  output(shape: readonly number[]): { info: tf.TensorInfo; values: Float32Array } {
    const size = tf.util.sizeFromShape([...shape]);
    const buffer = this.pool.take(4 * size);
    const values = new Float32Array(buffer, 0, size);
    return { info: this.claim(shape, 'float32', values, buffer), values };
  }

  /** As `output`, of truth values. */
  boolOutput(shape: readonly number[]): { info: tf.TensorInfo; values: Uint8Array } {
    const size = tf.util.sizeFromShape([...shape]);
    const buffer = this.pool.take(size);
    const values = new Uint8Array(buffer, 0, size);
    return { info: this.claim(shape, 'bool', values, buffer), values };
  }

  /** The array of a tensor, for a kernel that neither keeps nor hands it on. */
  values(info: tf.TensorInfo): Float32Array {
    const { values } = this.storage.peek(info.dataId);
    // tfjs's own cast to float32 leaves whole numbers and truth values in the array they were in.
    return info.dtype === 'float32' && !(values instanceof Float32Array)
      ? Float32Array.from(values as ArrayLike<number>)
      : (values as Float32Array);
  }

  /**
   * Memory of `size` floats that belongs to tensors which nobody changes, for what a kernel makes of
   * them once: zeros at first, later what the kernel left. `forgetPacked` must follow every change.
   */
  packedOf(infos: readonly tf.TensorInfo[], size: number): Float32Array {
    const ids = infos.map(({ dataId }) => dataId);
    const known = this.packed.get(ids[0] as DataId);
    if (known?.values.length === size && ids.every((id, i) => id === known.ids[i])) {
      return known.values;
    }
    const values = new Float32Array(size);
    this.packed.set(ids[0] as DataId, { ids, values });
    return values;
  }

  /** Forgets what `packedOf` holds: called where a tensor is overwritten. */
  forgetPacked(): void {
    this.packed = new WeakMap();
  }

  /** The same data under another shape. */
  alias(info: tf.TensorInfo, shape: readonly number[]): tf.TensorInfo {
    this.incRef(info.dataId);
    return { dataId: info.dataId, shape: [...shape], dtype: info.dtype };
  }

  /** Whether one tensor alone holds the data and nobody has seen the array: it may be overwritten. */
  isExclusive(dataId: DataId): boolean {
    return this.unshared.has(dataId) && this.refCount(dataId) === 1;
  }

  override refCount(dataId: DataId): number {
    return this.data.has(dataId) ? this.storage.peek(dataId).refCount : 0;
  }

  override incRef(dataId: DataId): void {
    this.storage.peek(dataId).refCount++;
  }

  override decRef(dataId: DataId): void {
    if (this.data.has(dataId)) this.storage.peek(dataId).refCount--;
  }

  override disposeData(dataId: DataId, force = false): boolean {
    const buffer = this.unshared.get(dataId);
    if (!buffer) return super.disposeData(dataId, force);
    const stored = this.storage.peek(dataId);
    stored.refCount--;
    if (!force && stored.refCount > 0) return false;
    this.data.delete(dataId);
    this.pool.give(buffer);
    return true;
  }

  /** Somebody else has seen the array of `id`. */
  private share(id: DataId): void {
    const buffer = this.unshared.get(id);
    if (!buffer) return;
    this.unshared.delete(id);
    this.pool.lose(buffer);
  }

  private claim(
    shape: readonly number[],
    dtype: tf.DataType,
    values: Float32Array | Uint8Array,
    buffer: ArrayBuffer,
  ): tf.TensorInfo {
    const info = this.makeTensorInfo([...shape], dtype, values);
    this.unshared.set(info.dataId, buffer);
    return info;
  }
}

interface Packed {
  readonly ids: readonly DataId[];
  readonly values: Float32Array;
}

/** Reports every array that leaves through `get`; `peek` is for those who do not let it out. */
class UnsharedStorage extends tf.DataStorage<Stored> {
  constructor(
    backend: tf.KernelBackend,
    mover: tf.DataMover,
    private readonly onShare: (dataId: DataId) => void,
  ) {
    super(backend, mover);
  }

  override get(dataId: DataId): Stored {
    this.onShare(dataId);
    return super.get(dataId);
  }

  peek(dataId: DataId): Stored {
    return super.get(dataId);
  }
}
