import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readPublicKey } from '../../../../models/bundle/key-files.js';
import { scoreTokens, type Tagger, tag, tagLong } from '../../../../models/networks/tagger.js';
import type { Document } from '../../../../models/text/document.js';
import type { Token } from '../../../../models/text/token.js';
import { tokenise } from '../../../../models/text/tokeniser.js';
import { openTaggingModel } from '../../../../services/institution/bundles/tagging-model.js';
import { deidentify } from '../../../../services/institution/deidentify/deidentify.js';
import { operatingPoint } from '../../../../services/institution/deidentify/operating-threshold.js';
import { WORDS } from '../notes.js';
import { createPublisher, embeddingsOf, type Publisher, removePublisher } from '../publisher.js';

const PARAGRAPH = `${WORDS.join(' ')}. Delta unheard 42 gamma.\n\n`;

describe('tagging', () => {
  let publisher: Publisher;
  let tagger: Tagger;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    tagger = await openTaggingModel(publisher.pipeline, {
      trustedKeys: [await readPublicKey(publisher.publicKeyFile)],
      embeddings: await embeddingsOf(publisher),
    });
  });
  afterAll(() => removePublisher(publisher));

  const scores = async (text: string) => {
    const found: number[] = [];
    for await (const { phi } of scoreTokens(text, tagger)) found.push(phi);
    return found;
  };

  test('says how sure it is of each span', () => {
    const spans = tag(PARAGRAPH, tagger, { threshold: 1e-9 });
    expect(spans.length).toBeGreaterThan(0);
    for (const { confidence } of spans) {
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  });

  test('finds more the lower the threshold: everything at none, nothing above all', async () => {
    const characters = (threshold: number) =>
      tag(PARAGRAPH, tagger, { threshold }).reduce((sum, { start, end }) => sum + end - start, 0);
    const sorted = (await scores(PARAGRAPH)).sort((a, b) => a - b);
    const middle = sorted[sorted.length >> 1] as number;
    expect(characters(1e-9)).toBeGreaterThan(characters(middle));
    expect(characters(middle)).toBeGreaterThan(0);
    expect(characters(1)).toBe(0);
  });

  test('reads sentences that a file states, in a long text too, and gives them back', async () => {
    const text = PARAGRAPH.repeat(1200);
    const sentences = Array.from(text.matchAll(/\S+/g), ({ index }) => index);
    const words = { threshold: 0.6, sentences };
    const found: { start: number; end: number }[] = [];
    for await (const span of tagLong(text, tagger, words)) found.push(span);
    const alone = tag(PARAGRAPH, tagger, {
      ...words,
      sentences: sentences.filter((start) => start < PARAGRAPH.length),
    });
    expect(alone).not.toEqual(tag(PARAGRAPH, tagger, { threshold: 0.6 }));
    expect(found).toHaveLength(1200 * alone.length);
    const note = { id: 'n', text: PARAGRAPH, spans: [], sentences: [0, 5] };
    const clean = await deidentify(note, tagger, { treatment: 'annotate', patterns: false });
    expect(clean.sentences).toEqual([0, 5]);
  });

  test('recognisers look for all types, for some, or not at all', async () => {
    const text = 'Seen on 12/03/2019. Write to ana@example.org.';
    const note = { id: 'n', text, spans: [] };
    const foundBy = async (patterns: boolean | readonly string[]) => {
      const options = { treatment: 'annotate', threshold: 1, patterns } as const;
      const { spans } = await deidentify(note, tagger, options);
      return spans.map(({ start, end }) => text.slice(start, end));
    };
    expect(await foundBy(true)).toEqual(['12/03/2019', 'ana@example.org']);
    expect(await foundBy(['DATE_TIME'])).toEqual(['12/03/2019']);
    expect(await foundBy(['EMAIL_ADDRESS', 'URL'])).toEqual(['ana@example.org']);
    expect(await foundBy([])).toEqual([]);
    expect(await foundBy(false)).toEqual([]);
  });

  test('takes the weekday with a date, so that neither says which day it was', async () => {
    const note = { id: 'n', text: 'Seen on Mon 25 Mar 2019, home on 3 May 2019 (Fri).', spans: [] };
    const clean = await deidentify(note, tagger, { treatment: 'tag', threshold: 1 });
    expect(clean.text).toBe('Seen on [PHI], home on [PHI].');
    const vitals = { ...note, text: 'On 14/06/2018 sat 97% RA.' };
    for (const patterns of [true, ['DATE_TIME']])
      expect(
        (await deidentify(vitals, tagger, { treatment: 'tag', threshold: 1, patterns })).text,
      ).toBe('On [PHI] sat 97% RA.');
  });

  test('takes what makes an age a bound with it', async () => {
    const scheme = { ...tagger.scheme, types: ['AGE'], labels: ['O', 'B-AGE', 'I-AGE'] };
    const found = async (text: string, sentences: readonly number[]) => {
      const options = { treatment: 'tag', threshold: 1e-9, patterns: false } as const;
      const note = { id: 'n', text, spans: [], sentences };
      return (await deidentify(note, { ...tagger, scheme }, options)).text;
    };
    expect(await found('seen 65', [0, 5])).toBe('[AGE] [AGE]');
    expect(await found('over 65', [0, 5])).toBe('[AGE]');
  });

  test('works through a long text in blocks, as if each stood alone', async () => {
    const text = PARAGRAPH.repeat(1200);
    const found: { start: number; end: number }[] = [];
    for await (const span of tagLong(text, tagger, { threshold: 0.6 })) found.push(span);
    const alone = tag(PARAGRAPH, tagger, { threshold: 0.6 });
    expect(found).toHaveLength(1200 * alone.length);
    found.forEach(({ start, end }, i) => {
      const { start: expected } = alone[i % alone.length] ?? { start: -1 };
      expect(start).toBe(expected + PARAGRAPH.length * Math.floor(i / alone.length));
      expect(end).toBeGreaterThan(start);
    });
  });

  test('stops in the middle of a long text when asked to', async () => {
    const controller = new AbortController();
    const reading = (async () => {
      for await (const _ of scoreTokens(PARAGRAPH.repeat(1200), tagger, {
        signal: controller.signal,
      }))
        controller.abort(new Error('interrupted'));
    })();
    await expect(reading).rejects.toThrow('interrupted');
  });

  test('chooses the highest threshold that finds enough of the dev notes', async () => {
    const note = { id: 'dev', text: PARAGRAPH, spans: [{ type: 'PHI', start: 0, end: 20 }] };
    const all = await operatingPoint([note], tagger, 1);
    const most = await operatingPoint([note], tagger, 0.7);
    expect(all.recall).toBe(1);
    expect(most.recall).toBeGreaterThanOrEqual(0.7);
    expect(most.threshold).toBeGreaterThanOrEqual(all.threshold);
    const covered = tag(PARAGRAPH, tagger, { threshold: all.threshold });
    for (let at = 0; at < 20; at++)
      if (PARAGRAPH[at] !== ' ')
        expect(covered.some(({ start, end }) => start <= at && at < end)).toBe(true);
    await expect(operatingPoint([{ ...note, spans: [] }], tagger, 1)).rejects.toMatchObject({
      code: 'corpus-invalid',
    });
  });

  test('states of a threshold the least that de-identifying finds with it, whether notes state sentences or not', async () => {
    const tokens = tokenise(PARAGRAPH);
    const isPhi = ({ text }: Token) => WORDS.indexOf(text) % 3 === 0;
    const spans = tokens.filter(isPhi).map(({ start, end }) => ({ type: 'PHI', start, end }));
    const unparted = { id: 'dev', text: PARAGRAPH, spans };
    const parted = { ...unparted, sentences: tokens.map(({ start }) => start) };
    const found = async (note: Document, threshold: number) => {
      const how = { treatment: 'annotate', patterns: false, threshold } as const;
      const { found } = await deidentify(note, tagger, how);
      const marked = tokens.filter((token) =>
        found.some(({ start, end }) => start < token.end && token.start < end),
      );
      const right = marked.filter(isPhi).length;
      return { recall: right / spans.length, precision: right / marked.length };
    };
    const own = await operatingPoint([unparted], tagger, 0.5);
    expect(own).toEqual({ threshold: own.threshold, ...(await found(unparted, own.threshold)) });
    const { threshold, ...stated } = await operatingPoint([parted], tagger, 0.5);
    const both = [await found(parted, threshold), await found(unparted, threshold)] as const;
    expect(both[0]).not.toEqual(both[1]);
    expect(stated).toEqual({
      recall: Math.min(both[0].recall, both[1].recall),
      precision: Math.min(both[0].precision, both[1].precision),
    });
    expect(stated.recall).toBeGreaterThanOrEqual(0.5);
  });

  test.each(['tag', 'mask', 'surrogate'] as const)(
    'says where what stands for PHI is, and not under %s how sure it was of that',
    async (treatment) => {
      const note = { id: 'n', text: PARAGRAPH, spans: [] };
      const how = { language: 'en', threshold: 0.6 } as const;
      const { text, spans } = await deidentify(note, tagger, { ...how, treatment });
      const kept = await deidentify(note, tagger, { ...how, treatment: 'annotate' });
      expect(spans.length).toBeGreaterThan(0);
      expect(spans).toEqual(
        kept.spans.map(() => ({ type: 'PHI', start: expect.any(Number), end: expect.any(Number) })),
      );
      if (treatment === 'tag')
        for (const { start, end } of spans) expect(text.slice(start, end)).toBe('[PHI]');
      for (const { confidence } of kept.spans) expect(confidence).toBeGreaterThan(0);
    },
  );
});
