import { describe, expect, test } from '@jest/globals';
import { hashOf } from '../../../../../../pool-store/log/log-chain.js';
import { GENESIS, type LogEntry } from '../../../../../../pool-store/log/log-entry.js';
import { walkChain } from '../../../../../../services/http/pages/store/browser/chain-walk.js';
import { verdictOf } from '../../../../../../services/http/pages/store/browser/findings.js';
import type { KeptHead } from '../../../../../../services/http/pages/store/browser/pasted-head.js';

const chain = logOf(25);
const head = chain[24];

async function verdict(entries: readonly LogEntry[], kept?: KeptHead, shown = head) {
  const progress: number[] = [];
  const findings = await walkChain({
    // A few at a time, as a server gives a thousand.
    read: async (after) => entries.filter(({ sequence }) => sequence > after).slice(0, 7),
    shown,
    kept,
    onProgress: (sequence) => progress.push(sequence),
  });
  return { ...verdictOf(findings, kept), progress };
}

describe('a whole log', () => {
  test('is walked to its end', async () => {
    const { good, text, progress } = await verdict(chain);
    expect([good, progress]).toEqual([true, [7, 14, 21, 25]]);
    expect(text).toContain('All 25 entries follow');
  });

  test.each([
    ['its number and hash', { sequence: 20, hash: chain[19].hash }],
    ['its hash alone', { sequence: undefined, hash: chain[19].hash }],
  ])('holds a head that was kept by %s', async (_, kept) => {
    const { good, text } = await verdict(chain, kept);
    expect(good).toBe(true);
    expect(text).toContain('entry 20 is the head that you kept');
    expect(text).toContain('5 entries were added since');
  });

  test('of nothing holds the head of nothing', async () => {
    expect((await verdict([], { ...GENESIS }, { ...head, ...GENESIS })).good).toBe(true);
  });

  test('may have grown since the page was shown', async () => {
    expect((await verdict(chain, undefined, chain[10])).good).toBe(true);
  });
});

describe('a log is refused', () => {
  const altered = (change: (entries: LogEntry[]) => void) => {
    const entries = structuredClone(chain) as LogEntry[];
    change(entries);
    return entries;
  };

  test.each([
    ['an altered detail', altered((all) => Object.assign(all[11].details, { bytes: 1 })), 12],
    ['an entry taken away', altered((all) => all.splice(4, 1)), 5],
    [
      'an entry with a fitting hash',
      altered((all) => {
        all[8] = entryOf(9, 'other', all[7].hash);
      }),
      10,
    ],
  ])('with %s, which is named', async (_, entries, broken) => {
    const { good, text } = await verdict(entries);
    expect(good).toBe(false);
    expect(text).toContain(`Entry ${broken} does not follow`);
  });

  test('that ends before the head of its page', async () => {
    const { good, text } = await verdict(chain.slice(0, 20));
    expect([good, text]).toEqual([false, expect.stringContaining('ends with entry 20')]);
  });

  test.each([
    ['of another log', { sequence: 3, hash: 'ab'.repeat(32) }],
    ['at another place', { sequence: 3, hash: chain[3].hash }],
    ['that it does not reach', { sequence: 26, hash: entryOf(26, 'more', head.hash).hash }],
  ])('against a head %s', async (_, kept) => {
    const { good, text } = await verdict(chain, kept);
    expect(good).toBe(false);
    expect(text).toContain('the head that you kept is not among them');
  });
});

function logOf(length: number): LogEntry[] {
  const entries: LogEntry[] = [];
  for (let sequence = 1; sequence <= length; sequence++)
    entries.push(entryOf(sequence, 'blob-stored', entries.at(-1)?.hash ?? GENESIS.hash));
  return entries;
}

function entryOf(sequence: number, action: string, previous: string): LogEntry {
  const time = new Date(sequence).toISOString();
  const details = { bytes: sequence, 2: 'a', 1: 'b', kind: 'ß "quoted" \u2028' };
  const entry = { sequence, time, action, subject: `blob-${sequence}`, details, previous };
  return { ...entry, hash: hashOf(entry) };
}
