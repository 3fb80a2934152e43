import { describe, expect, test } from '@jest/globals';
import { UploadLocks } from '../../../services/http/upload-locks.js';

const never = new AbortController().signal;
const busy = expect.objectContaining({ code: 'conflict', message: expect.stringMatching(/again/) });

/** Of a request at an upload: what became of it, in the order in which it did. */
function at(locks: UploadLocks, id: string, seen: string[], name: string, signal = never) {
  const lock = locks.newLock(id);
  const locked = lock.lock(signal, () => void seen.push(`${name} gives way`));
  const begun = locked.then(() => void seen.push(`${name} begins`));
  return { lock, begun };
}

describe('requests at one upload', () => {
  test('come one after another, each asked to give way to the next', async () => {
    const locks = new UploadLocks();
    const seen: string[] = [];
    const [first, second, third] = ['a', 'b', 'c'].map((name) => at(locks, 'one', seen, name));
    const other = at(locks, 'another', seen, 'x');
    await Promise.all([first?.begun, other.begun]);
    expect(seen.sort()).toEqual(['a begins', 'a gives way', 'a gives way', 'x begins']);
    seen.length = 0;
    await first?.lock.unlock();
    await second?.begun;
    expect(seen.sort()).toEqual(['b begins', 'b gives way']);
    seen.length = 0;
    await second?.lock.unlock();
    await third?.begun;
    await third?.lock.unlock();
    expect(seen).toEqual(['c begins']);
    const later = at(locks, 'one', seen, 'd');
    await later.begun;
    expect(seen).toEqual(['c begins', 'd begins']);
  });

  test('that wait for too long, or are given up, are told so and take no turn', async () => {
    const locks = new UploadLocks(20);
    const seen: string[] = [];
    const first = at(locks, 'one', seen, 'a');
    await first.begun;
    const late = at(locks, 'one', seen, 'b');
    const over = new AbortController();
    const left = at(locks, 'one', seen, 'c', over.signal);
    over.abort();
    await expect(left.begun).rejects.toEqual(busy);
    await expect(late.begun).rejects.toEqual(busy);
    const gone = at(locks, 'one', seen, 'd', AbortSignal.abort());
    await expect(gone.begun).rejects.toEqual(busy);
    const next = at(locks, 'one', seen, 'e');
    await late.lock.unlock();
    await first.lock.unlock();
    await next.begun;
    expect(seen.filter((each) => each.endsWith('begins'))).toEqual(['a begins', 'e begins']);
  });
});
