import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document } from '../../../models/text/document.js';
import type { EncodedSentence } from '../../../proto/encoded-sentence.js';
import { readSegment } from '../../../proto/segment.js';
import { Ledger } from '../../../services/institution/release/ledger/ledger.js';

export const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];

/** A document of one sentence for each two words: all have the same labels, and no two are one to a model that knows these words. */
export function notesOfPairs(): Document[] {
  return WORDS.flatMap((first) =>
    WORDS.map((second) => ({ id: `${first}-${second}`, text: `${first} ${second}.`, spans: [] })),
  );
}

/** `count` documents of one sentence each, no two of one length: a length names a sentence. */
export function notesOfDistinctLengths(count: number): Document[] {
  return Array.from({ length: count }, (_, i) => {
    const words = Array.from({ length: i + 1 }, (_, t) => WORDS[(t * (i + 3)) % WORDS.length]);
    return { id: `note-${i}`, text: `${words.join(' ')}.`, spans: [] };
  });
}

/** `count` notes whose first sentences have the same labels; of the first `named` a second one is a name alone. */
export function notesWithRest(count: number, named: number, word = 'alpha'): Document[] {
  return Array.from({ length: count }, (_, i) => {
    const first = `${word} ${i} `;
    const line = `${first}name beta.`;
    const names = [first.length, ...(i < named ? [line.length + 2] : [])];
    return {
      id: `${word}-${i}`,
      text: i < named ? `${line}\n\nname` : line,
      spans: names.map((start) => ({ type: 'PHI', start, end: start + 4 })),
    };
  });
}

/** The sentences in the segments that `tacet contribute` would upload, by segment. */
export async function outgoing(home: string): Promise<Map<string, EncodedSentence[]>> {
  const ledger = await Ledger.openOrMake(home);
  const digests = ledger.segments.pending().map(({ digest }) => digest);
  ledger.close();
  const segments = new Map<string, EncodedSentence[]>();
  for (const digest of digests) {
    const bytes = await readFile(join(home, 'outbox', `${digest}.segment`));
    segments.set(digest, [...readSegment(bytes).sentences()]);
  }
  return segments;
}

export function lengthsOf(segments: ReadonlyMap<string, readonly EncodedSentence[]>): number[] {
  return [...segments.values()].flat().map(({ labels }) => labels.length);
}
