import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Tagger } from '../../../models/networks/tagger.js';
import { findPhi } from '../../../services/institution/deidentify/recognisers/find-phi.js';
import { WORDS } from '../institution/notes.js';
import {
  cacheOf,
  createPublisher,
  type Publisher,
  removePublisher,
} from '../institution/publisher.js';
import { sequenceToSequenceBundle } from '../institution/sequence-to-sequence-bundle.js';
import { type EncoderProcess, startEncoder } from './encoder-process.js';
import { post } from './served-encoder.js';

/** One sentence is longer than the others: tokens and labels stay aligned in a batch of both. */
const TEXT = `${WORDS.join(' ')}. ${[...WORDS].reverse().slice(0, 3).join(' ')}`;

describe('tacet encoder serve with a sequence-to-sequence pipeline', () => {
  let publisher: Publisher;
  let tagger: Tagger;
  let encoder: EncoderProcess;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    const made = await sequenceToSequenceBundle(publisher);
    tagger = made.tagger;
    const options = [
      ...['--port', '0', '--pipeline', made.bundle],
      ...['--new-home', join(publisher.root, 'home'), '--model', publisher.representation],
      ...['--trust', publisher.publicKeyFile, '--embeddings', publisher.embeddingsFile],
    ];
    encoder = await startEncoder(options, { TACET_CACHE: cacheOf(publisher.root) });
  }, 120_000);
  afterAll(async () => {
    encoder.child.kill('SIGKILL');
    tagger.deidentifier.dispose();
    await removePublisher(publisher);
  });

  test.each([0.01, 0.3, 0.5])(
    'finds what its de-identifier finds from %d on, and takes it out',
    async (threshold) => {
      const found = await findPhi(TEXT, tagger, { threshold, patterns: false });
      const answered = async (policy: string) => {
        const { status, body } = await post(`${encoder.url}/v1/deidentify`, {
          documents: [{ id: 'a', text: TEXT }],
          ...{ policy, threshold, patterns: false },
        });
        expect(status).toBe(200);
        return body.documents[0];
      };
      const { id, text, spans } = await answered('mask');
      expect(id).toBe('a');
      expect(spans.map(({ label, start, end }) => [label, start, end])).toEqual(
        found.map(({ type, start, end }) => [type, start, end]),
      );
      (await answered('annotate')).spans.forEach(({ confidence }, i) => {
        expect(confidence).toBeCloseTo(found[i]?.confidence ?? Number.NaN, 5);
      });
      if (threshold < 0.1) expect(found).not.toEqual([]);
      const rest = (of: string) => {
        const marks = [...of];
        for (const { start, end } of found) marks.fill('', start, end);
        return marks.join('');
      };
      expect(rest(text)).toBe(rest(TEXT));
      for (const { start, end } of found)
        expect(text.slice(start, end)).not.toBe(TEXT.slice(start, end));
    },
  );
});
