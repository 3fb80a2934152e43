/**
 * The safetensors file format: `u64 header length | JSON header | tensor bytes`, all little-endian.
 * The reader takes float32 alone and refuses everything that the format forbids or leaves open:
 * duplicate names, overlapping ranges, holes, bytes beyond the last tensor.
 *
 * Source: https://huggingface.co/docs/safetensors, section "Format".
 */
import { TacetError } from '../../proto/errors.js';
import type { NamedArray, NamedArrays } from '../networks/named-arrays.js';
import { hasDuplicateKeys } from './duplicate-keys.js';

const LENGTH_BYTES = 8;
/** Hundreds of times what our networks need; the format itself allows 100 MB. */
const MAX_HEADER_BYTES = 4 * 1024 * 1024;
const ALIGNMENT_BYTES = 8;
const METADATA = '__metadata__';

interface TensorEntry {
  readonly name: string;
  readonly shape: readonly number[];
  readonly begin: number;
  readonly end: number;
}

/** The file for `weights`, names in code unit order, the tensor bytes aligned to 8 bytes. */
export function writeSafetensors(
  weights: NamedArrays,
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array {
  const names = Object.keys(weights).sort();
  const header: [string, unknown][] = [];
  if (Object.keys(metadata).length > 0) header.push([METADATA, metadata]);
  let offset = 0;
  for (const name of names) {
    const { shape, data } = weights[name] as NamedArray;
    if (name === METADATA || elementsOf(shape) !== data.length)
      throw new TacetError(
        'tensor-invalid',
        `weight ${name}: shape [${shape}] does not hold ${data.length} values`,
      );
    const end = offset + data.byteLength;
    header.push([name, { dtype: 'F32', shape, data_offsets: [offset, end] }]);
    offset = end;
  }
  const json = Buffer.from(JSON.stringify(Object.fromEntries(header)));
  const headerBytes = Math.ceil(json.length / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
  const file = Buffer.alloc(LENGTH_BYTES + headerBytes + offset, ' ');
  file.writeBigUInt64LE(BigInt(headerBytes));
  json.copy(file, LENGTH_BYTES);
  let position = LENGTH_BYTES + headerBytes;
  for (const name of names) {
    const { data } = weights[name] as NamedArray;
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), position);
    position += data.byteLength;
  }
  return file;
}

/** The tensors of a file, each in memory of its own. Throws `bundle-invalid`. */
export function readSafetensors(bytes: Uint8Array): NamedArrays {
  if (bytes.length < LENGTH_BYTES) fail(`${bytes.length} bytes cannot hold a header length`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const declared = view.getBigUint64(0, true);
  if (declared > BigInt(Math.min(MAX_HEADER_BYTES, bytes.length - LENGTH_BYTES)))
    fail(`the header claims ${declared} bytes of a file of ${bytes.length}`);
  const start = LENGTH_BYTES + Number(declared);
  const entries = readHeader(bytes.subarray(LENGTH_BYTES, start));
  requireExactCover(entries, bytes.length - start);
  return Object.fromEntries(
    entries.map(({ name, shape, begin, end }) => {
      const data = new Float32Array((end - begin) / Float32Array.BYTES_PER_ELEMENT);
      new Uint8Array(data.buffer).set(bytes.subarray(start + begin, start + end));
      return [name, { shape, data }];
    }),
  );
}

function readHeader(bytes: Uint8Array): TensorEntry[] {
  const text = decodeHeader(bytes);
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    return fail('the header is not JSON');
  }
  if (!isRecord(header)) return fail('the header is not an object');
  if (hasDuplicateKeys(text)) fail('the header names something twice');
  return Object.entries(header)
    .filter(([name, entry]) => name !== METADATA || !isTextRecord(entry))
    .map(([name, entry]) => readEntry(name, entry));
}

function decodeHeader(bytes: Uint8Array): string {
  // "The header data MUST begin with a { character (0x7B)."
  if (bytes[0] !== 0x7b) fail('the header does not begin with {');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return fail('the header is not UTF-8');
  }
}

function readEntry(name: string, entry: unknown): TensorEntry {
  const where = `tensor ${JSON.stringify(name)}`;
  if (!isRecord(entry)) return fail(`${where}: expected an object`);
  const { dtype, shape, data_offsets: offsets, ...rest } = entry;
  if (Object.keys(rest).length > 0) fail(`${where}: unknown key ${Object.keys(rest)[0]}`);
  if (dtype !== 'F32') fail(`${where}: dtype is ${JSON.stringify(dtype)}, expected "F32"`);
  if (!isSizes(shape)) return fail(`${where}: shape is not a list of sizes`);
  if (!isSizes(offsets) || offsets.length !== 2) return fail(`${where}: bad data_offsets`);
  const [begin, end] = offsets as [number, number];
  if (end - begin !== elementsOf(shape) * Float32Array.BYTES_PER_ELEMENT)
    fail(`${where}: offsets ${begin} to ${end} do not hold shape [${shape}]`);
  return { name, shape, begin, end };
}

/** "No holes in the byte buffer", and no byte that belongs to two tensors or to none. */
function requireExactCover(entries: readonly TensorEntry[], bufferBytes: number): void {
  let covered = 0;
  for (const { name, begin, end } of [...entries].sort(
    (a, b) => a.begin - b.begin || a.end - b.end,
  )) {
    if (begin !== covered)
      fail(`tensor ${JSON.stringify(name)} begins at byte ${begin}, expected ${covered}`);
    covered = end;
  }
  if (covered !== bufferBytes) fail(`tensors cover ${covered} of ${bufferBytes} bytes`);
}

function elementsOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextRecord(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((entry) => typeof entry === 'string');
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

function fail(reason: string): never {
  throw new TacetError('bundle-invalid', `safetensors: ${reason}`);
}
