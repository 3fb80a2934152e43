import { describe, expect, test } from '@jest/globals';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { INSTITUTIONS } from '../../../models/synthetic/institutions.js';
import { LEXICON } from '../../../models/synthetic/lexicon.js';
import { NOTE_KINDS } from '../../../models/synthetic/note.js';
import { PHI_TYPES } from '../../../models/synthetic/phi.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { tokenise } from '../../../models/text/tokeniser.js';

const notes = [...generateNotes({ seed: 7, documents: 600 })];
const contentOf = (of: Iterable<{ text: string; spans: readonly unknown[] }>) =>
  JSON.stringify([...of]);

describe('synthetic notes', () => {
  test('spans are ordered, apart from one another, inside the text and never blank', () => {
    for (const { text, spans } of notes) {
      let last = 0;
      for (const { start, end } of spans) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(text.slice(start, end)).toMatch(/^\S(.*\S)?$/s);
        last = end;
      }
    }
  });

  test('the same seed gives the same notes and another seed gives others', () => {
    const again = [...generateNotes({ seed: 7, documents: 60 })];
    expect(contentOf(again)).toBe(contentOf(notes.slice(0, 60)));
    const other = [...generateNotes({ seed: 8, documents: 60 })];
    const texts = new Set(notes.map(({ text }) => text));
    expect(other.filter(({ text }) => texts.has(text))).toEqual([]);
  });

  test('seeds that differ above 32 bits give different notes', () => {
    const low = [...generateNotes({ seed: 7, documents: 1 })];
    const high = [...generateNotes({ seed: 7 + 2 ** 32, documents: 1 })];
    expect(contentOf(low)).not.toBe(contentOf(high));
  });

  test('a note stays as it was when more documents or institutions are asked for', () => {
    const few = [...generateNotes({ seed: 7, documents: 20, institutions: 2 })];
    const byId = new Map(notes.map((note) => [note.id, note]));
    for (const note of few) expect(byId.get(note.id)).toEqual(note);
  });

  test('institutions take turns and name their notes', () => {
    expect(notes.slice(0, 7).map(({ id }) => id)).toEqual([
      'north-0001',
      'harbour-0001',
      'mesa-0001',
      'abbey-0001',
      'ridge-0001',
      'valley-0001',
      'north-0002',
    ]);
    expect(new Set(notes.map(({ id }) => id)).size).toBe(notes.length);
  });

  test('all kinds of notes and all types of PHI occur, and the scheme knows every type', () => {
    expect(new Set(notes.map(({ kind }) => kind))).toEqual(new Set(NOTE_KINDS));
    const types = new Set(notes.flatMap(({ spans }) => spans.map(({ type }) => type)));
    expect(types).toEqual(new Set(PHI_TYPES));
    expect(loadLabelScheme('synthetic').types).toEqual(PHI_TYPES);
  });

  test('notes have 150 to 500 tokens, a tenth to three tenths of them PHI', () => {
    let total = 0;
    let phi = 0;
    for (const { text, spans } of notes) {
      const tokens = tokenise(text);
      expect(tokens.length).toBeGreaterThanOrEqual(150);
      expect(tokens.length).toBeLessThanOrEqual(500);
      total += tokens.length;
      phi += tokens.filter((token) =>
        spans.some(({ start, end }) => token.start < end && start < token.end),
      ).length;
    }
    expect(phi / total).toBeGreaterThan(0.1);
    expect(phi / total).toBeLessThan(0.3);
  });

  test('nearly every span boundary is a token boundary', () => {
    let boundaries = 0;
    let met = 0;
    for (const { text, spans } of notes) {
      const tokens = tokenise(text);
      const starts = new Set(tokens.map(({ start }) => start));
      const ends = new Set(tokens.map(({ end }) => end));
      for (const { start, end } of spans) {
        boundaries += 2;
        met += Number(starts.has(start)) + Number(ends.has(end));
      }
    }
    expect(met / boundaries).toBeGreaterThan(0.999);
  });

  test('at least three spans in ten stand in free text', () => {
    const all = notes.reduce((sum, { spans }) => sum + spans.length, 0);
    const free = notes.reduce(
      (sum, { spans, narrative }) =>
        sum +
        spans.filter(({ start, end }) => start >= narrative.start && end <= narrative.end).length,
      0,
    );
    expect(free / all).toBeGreaterThan(0.3);
  });

  test('eponyms, spinal levels and scores occur and are never PHI', () => {
    const lookAlikes = [...LEXICON.approaches.map((name) => `${name} incision`)].concat(
      LEXICON.devices,
      LEXICON.signs,
      LEXICON.ruledOut,
      LEXICON.levels.map((level) => `at ${level}`),
      LEXICON.scores,
    );
    const found = new Set<string>();
    for (const { text, spans } of notes) {
      for (const phrase of lookAlikes) {
        const at = text.indexOf(phrase);
        if (at < 0) continue;
        found.add(phrase);
        const end = at + phrase.length;
        expect(spans.filter((span) => span.start < end && at < span.end)).toEqual([]);
      }
    }
    expect(found.size).toBeGreaterThan(lookAlikes.length * 0.7);
  });

  test('words that are names elsewhere occur both as PHI and as plain words', () => {
    const labelled = new Set<string>();
    const plain = new Set<string>();
    for (const { text, spans } of notes) {
      for (const { text: word, start } of tokenise(text)) {
        const inside = spans.some((span) => span.start <= start && start < span.end);
        (inside ? labelled : plain).add(word.toLowerCase());
      }
    }
    for (const word of ['will', 'may', 'rose', 'mark', 'hope', 'grace', 'long', 'brown'])
      expect([word, labelled.has(word), plain.has(word)]).toEqual([word, true, true]);
  });

  test('every institution has its own shapes of record numbers and header dates', () => {
    const shape = (text: string) => text.replace(/\d/g, '9').replace(/[A-Z]/gi, 'A');
    const shapesOf = (id: string, type: string) => {
      const shapes = new Map<string, number>();
      for (const { text, spans } of notes.filter(({ institution }) => institution === id)) {
        const first = spans.find((span) => span.type === type);
        if (first === undefined) continue;
        const seen = shape(text.slice(first.start, first.end));
        shapes.set(seen, (shapes.get(seen) ?? 0) + 1);
      }
      return [...shapes].sort((a, b) => b[1] - a[1])[0]?.[0];
    };
    const records = INSTITUTIONS.map(({ id }) => shapesOf(id, 'MEDICALRECORD'));
    expect(new Set(records).size).toBe(INSTITUTIONS.length);
    expect(new Set(INSTITUTIONS.map(({ headerDate }) => headerDate)).size).toBe(6);
    expect(new Set(INSTITUTIONS.map(({ noteTitles }) => noteTitles.discharge)).size).toBe(6);
  });

  test('the age, the sex and the pronouns of a patient agree', () => {
    for (const { text } of notes) {
      const match = /\b(?:woman|lady|girl)\b.*?[.;] (He|His)\b/.exec(text);
      expect(match).toBeNull();
    }
  });

  test.each([
    [{ seed: -1, documents: 1 }],
    [{ seed: 1.5, documents: 1 }],
    [{ seed: 1, documents: -2 }],
    [{ seed: 1, documents: 1, institutions: 0 }],
    [{ seed: 1, documents: 1, institutions: 7 }],
  ])('options outside their range are refused: %j', (options) => {
    expect(() => [...generateNotes(options)]).toThrow(/expected a whole number from/);
  });
});
