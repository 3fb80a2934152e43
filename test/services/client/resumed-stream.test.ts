import { describe, expect, test } from '@jest/globals';
import { TacetError } from '../../../proto/errors.js';
import { resumedStream, type StreamPart } from '../../../services/client/resumed-stream.js';

const partOf = (
  status: number,
  bytes: StreamPart['bytes'],
  cancel = async () => {},
): StreamPart => {
  return { status, bytes, cancel, entityTag: '"a"' };
};

async function* breakingOff() {
  yield Uint8Array.of(1, 2);
  throw new TacetError('server-unreachable', 'gone');
}

describe('a stream that breaks off', () => {
  test('goes on from where it broke off', async () => {
    const asked: unknown[] = [];
    const stream = resumedStream(async (start, entityTag) => {
      asked.push([start, entityTag]);
      if (start === 0) return partOf(200, breakingOff);
      return partOf(206, async function* () {
        yield Uint8Array.of(3);
      });
    });
    const received: number[] = [];
    for await (const chunk of stream) received.push(...chunk);
    expect(received).toEqual([1, 2, 3]);
    expect(asked).toEqual([
      [0, null],
      [2, '"a"'],
    ]);
  });

  test('is refused where the server has another by now, whose answer is let go unread', async () => {
    let cancelled = 0;
    const unread = () => {
      throw new Error('read');
    };
    const stream = resumedStream(async (start) =>
      start === 0
        ? partOf(200, breakingOff)
        : partOf(200, unread, async () => {
            cancelled++;
          }),
    );
    await stream.next();
    await expect(stream.next()).rejects.toMatchObject({ code: 'conflict' });
    expect(cancelled).toBe(1);
  });
});
