import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { StagedFile } from '../../../services/http/staged-file.js';

const STAGE_BYTES = 1024 * 1024;
const BODY = randomBytes(5 * STAGE_BYTES + 4321);

/** A file in memory whose writes end when they are told to. */
class HeldFile {
  readonly bytes = Buffer.alloc(BODY.length);
  readonly #held: (() => void)[] = [];
  isFull = false;

  async write(piece: Uint8Array, from: number, length: number, position: number) {
    await new Promise<void>((resolve) => this.#held.push(resolve));
    if (this.isFull) throw new Error('the disk is full');
    this.bytes.set(piece.subarray(from, from + length), position);
    return { bytesWritten: length };
  }

  get underWay(): number {
    return this.#held.length;
  }

  async release(): Promise<void> {
    for (const end of this.#held.splice(0)) end();
    await setImmediate();
  }
}

function stagedOn(file: HeldFile, coming = BODY.length) {
  const seen: Buffer[] = [];
  const staged = new StagedFile(file as unknown as FileHandle, 0, coming, (piece) => {
    seen.push(Buffer.from(piece));
  });
  return { staged, seen };
}

async function ended(staged: StagedFile, file: HeldFile): Promise<number> {
  let position: number | undefined;
  const end = staged.end().then((value) => {
    position = value;
  });
  while (position === undefined) await file.release();
  await end;
  return position;
}

describe('a staged file', () => {
  test('asks nobody to wait while the disk keeps up', async () => {
    const file = new HeldFile();
    const { staged, seen } = stagedOn(file);
    for (let start = 0; start < BODY.length; start += 65_536) {
      expect(staged.add(BODY.subarray(start, start + 65_536))).toBeUndefined();
      await file.release();
    }
    expect(await ended(staged, file)).toBe(BODY.length);
    expect(file.bytes.equals(BODY)).toBe(true);
    expect(Buffer.concat(seen).equals(BODY)).toBe(true);
  });

  test('lets a chunk wait for the piece before its own, which it leaves as it is', async () => {
    const file = new HeldFile();
    const { staged } = stagedOn(file);
    expect(staged.add(BODY.subarray(0, STAGE_BYTES))).toBeUndefined();
    expect(file.underWay).toBe(1);
    let isTaken = false;
    const taken = staged.add(BODY.subarray(STAGE_BYTES, 2 * STAGE_BYTES + 9))?.then(() => {
      isTaken = true;
    });
    await setImmediate();
    expect(isTaken).toBe(false);
    await file.release();
    await taken;
    expect(await ended(staged, file)).toBe(2 * STAGE_BYTES + 9);
    const sent = BODY.subarray(0, 2 * STAGE_BYTES + 9);
    expect(file.bytes.subarray(0, sent.length).equals(sent)).toBe(true);
  });

  test('takes a chunk of several pieces, one after the other', async () => {
    const file = new HeldFile();
    const { staged, seen } = stagedOn(file);
    const taken = staged.add(BODY);
    for (let piece = 0; piece < 5; piece++) {
      expect(file.underWay).toBe(1);
      await file.release();
    }
    await taken;
    expect(await ended(staged, file)).toBe(BODY.length);
    expect(file.bytes.equals(BODY)).toBe(true);
    expect(Buffer.concat(seen).equals(BODY)).toBe(true);
  });

  test('says at the next full piece and at the end that a write failed', async () => {
    const file = new HeldFile();
    const { staged } = stagedOn(file);
    staged.add(BODY.subarray(0, STAGE_BYTES));
    file.isFull = true;
    await file.release();
    expect(staged.add(BODY.subarray(0, 9))).toBeUndefined();
    await expect(staged.add(BODY.subarray(9, STAGE_BYTES))).rejects.toThrow('the disk is full');
    await expect(staged.end()).rejects.toThrow('the disk is full');
  });

  test('takes more than was to come, too', async () => {
    for (const coming of [0, 1000]) {
      const file = new HeldFile();
      const { staged, seen } = stagedOn(file, coming);
      const added = staged.add(BODY.subarray(0, 3500));
      const end = Promise.resolve(added).then(() => staged.end());
      let position: number | undefined;
      end.then((value) => {
        position = value;
      });
      while (position === undefined) await file.release();
      expect(position).toBe(3500);
      expect(Buffer.concat(seen).equals(BODY.subarray(0, 3500))).toBe(true);
      expect(file.bytes.subarray(0, 3500).equals(BODY.subarray(0, 3500))).toBe(true);
    }
  });

  test('writes what came whole in one piece', async () => {
    const file = new HeldFile();
    const { staged, seen } = stagedOn(file, 3500);
    for (let start = 0; start < 3500; start += 700) staged.add(BODY.subarray(start, start + 700));
    expect(await ended(staged, file)).toBe(3500);
    expect(seen).toHaveLength(1);
  });
});
