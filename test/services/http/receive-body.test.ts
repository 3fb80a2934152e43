import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Request } from 'express';
import { receiveBody } from '../../../services/http/receive-body.js';
import { StagedFile } from '../../../services/http/staged-file.js';

const CHUNK_BYTES = 65_536;
const BODY = randomBytes(80 * CHUNK_BYTES);

/** A file on a slow disk, in memory; `fails` from so many bytes on. */
class SlowFile {
  readonly bytes = Buffer.alloc(BODY.length);

  constructor(readonly fails = Number.POSITIVE_INFINITY) {}

  async write(piece: Uint8Array, from: number, length: number, position: number) {
    await delay(20);
    if (position + length > this.fails) throw new Error('the disk is full');
    this.bytes.set(piece.subarray(from, from + length), position);
    return { bytesWritten: length };
  }
}

function received(file: SlowFile, most = BODY.length) {
  const seen: Buffer[] = [];
  const body = new PassThrough();
  const staged = new StagedFile(file as unknown as FileHandle, 0, most, (piece) => {
    seen.push(Buffer.from(piece));
  });
  const fault = receiveBody(body as unknown as Request, staged, most);
  return { body, fault, staged, seen };
}

async function send(body: PassThrough, bytes: Buffer): Promise<void> {
  for (let start = 0; start < bytes.length && !body.destroyed; start += CHUNK_BYTES) {
    if (!body.write(bytes.subarray(start, start + CHUNK_BYTES))) await delay(1);
  }
}

test('a body comes to its file whole and in order', async () => {
  const file = new SlowFile();
  const { body, fault, staged, seen } = received(file);
  await send(body, BODY);
  body.end();
  expect(await fault).toBeUndefined();
  expect(await staged.end()).toBe(BODY.length);
  expect(file.bytes.equals(BODY)).toBe(true);
  expect(Buffer.concat(seen).equals(BODY)).toBe(true);
});

test.each([5, 25, 45, 65])(
  'of a body that breaks off after %d ms, what came is in the file once',
  async (ms) => {
    const file = new SlowFile();
    const { body, fault, staged, seen } = received(file);
    const sending = send(body, BODY);
    await delay(ms);
    body.destroy();
    expect((await fault)?.code).toBe('request-invalid');
    const bytes = await staged.end();
    await sending;
    expect(file.bytes.subarray(0, bytes).equals(BODY.subarray(0, bytes))).toBe(true);
    expect(Buffer.concat(seen).equals(BODY.subarray(0, bytes))).toBe(true);
  },
);

test('a body that is longer than it may be is taken no further', async () => {
  const { body, fault, staged } = received(new SlowFile(), 3 * CHUNK_BYTES);
  await send(body, BODY.subarray(0, 5 * CHUNK_BYTES));
  expect((await fault)?.code).toBe('body-too-large');
  expect(await staged.end()).toBe(3 * CHUNK_BYTES);
});

test('what a write fails with is thrown', async () => {
  const { body, fault } = received(new SlowFile(2 * 1024 * 1024));
  const sending = send(body, BODY);
  const failure = expect(fault).rejects.toThrow('the disk is full');
  await failure;
  body.destroy();
  await sending;
});
