/**
 * Protocol buffers on the wire, as far as writing needs it.
 *
 * Source: https://protobuf.dev/programming-guides/encoding/
 */
const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

export class ProtobufWriter {
  readonly #parts: Uint8Array[] = [];

  /** A whole number from 0 to 2^53 - 1. */
  integer(field: number, value: number): this {
    this.#parts.push(varint(field * 8 + VARINT), varint(value));
    return this;
  }

  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    this.#parts.push(varint(field * 8 + FIXED32), bytes);
    return this;
  }

  text(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value, 'utf8'));
  }

  message(field: number, message: ProtobufWriter): this {
    return this.bytes(field, message.finish());
  }

  bytes(field: number, value: Uint8Array): this {
    this.#parts.push(varint(field * 8 + LENGTH_DELIMITED), varint(value.length), value);
    return this;
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Uint8Array.of(...bytes, rest);
}
