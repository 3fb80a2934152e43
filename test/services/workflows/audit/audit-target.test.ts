import { describe, expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import { Representation } from '../../../../models/networks/representation.js';
import { Random } from '../../../../models/tensor/random.js';
import { originOf, templateDocumentId } from '../../../../models/text/corpus/template-id.js';
import { loadLabelScheme } from '../../../../models/text/label-scheme.js';
import { auditTarget } from '../../../../services/workflows/audit/audit-target.js';

const SCHEME = loadLabelScheme('phi-binary');
const WORDS = ['seen', 'by', 'ana', 'low', 'high', 'fever'];

/** Of three letters each. */
const NAMES = Array.from({ length: 24 }, (_, i) => `A${String.fromCharCode(97 + i)}a`);

function model() {
  const random = new Random(1);
  const E = 4;
  const embeddings = embeddingsFromRows(WORDS, random.normals(WORDS.length * E));
  const shape = { embeddingDimension: E, units: 3, dimension: 2 };
  const noise = { initialInputStddev: 0.1, initialOutputStddev: 0.1 };
  const representation = Representation.create({ ...shape, ...noise }, random);
  return { representation, vocabulary: new Vocabulary(embeddings), scheme: SCHEME };
}

const work = { signal: new AbortController().signal, progress: () => {} };

function target(templates: number) {
  const documents = Array.from({ length: 24 }, (_, i) => ({
    ...{ id: templateDocumentId(i % templates, i + 1), text: 'Seen by Ana' },
    spans: [{ type: 'PHI', start: 8, end: 11 }],
  }));
  return auditTarget(model(), documents, {
    ...{ seed: 1, neighbours: 2, ...work },
    institutions: new Map(documents.map((document) => [document, originOf(document)])),
  });
}

describe('the notes of an audit', () => {
  test('of one template are attacked with, or stopped by, or measured on', async () => {
    const { train, validation, test: measured, institutions } = await target(8);
    const sides = [train, validation, measured].map(
      (part) => new Set(part.map((example) => institutions?.get(example))),
    );
    expect(sides.map(({ size }) => size)).toEqual([5, 1, 2]);
    expect(new Set(sides.flatMap((side) => [...side])).size).toBe(8);
  });

  test('of one template are of one origin, by which intervals are', async () => {
    const { test: measured, institutions, origins } = await target(8);
    const templates = new Map(
      measured.map((each) => [each.documentIndex, institutions?.get(each)] as const),
    );
    expect(templates.size).toBe(6);
    const pairs = [...templates].map(([index, template]) => `${origins?.get(index)} ${template}`);
    expect(new Set(pairs).size).toBe(2);
    expect(new Set(origins?.values()).size).toBe(2);
  });

  test('belong together by what they were before their entities were replaced', async () => {
    const templated = (prefix: string) =>
      Array.from({ length: 24 }, (_, i) => ({
        ...{ id: `${prefix}-${i}`, text: 'Seen by Ana' },
        spans: [{ type: 'PHI', start: 8, end: 11 }],
      }));
    const documents = templated('encoded').map((each, i) => ({
      ...each,
      text: `Seen by ${NAMES[i]}`,
    }));
    const given = templated('given').map((each, i) => ({
      ...each,
      id: templateDocumentId(i % 6, i + 1),
    }));
    const { test: measured, origins } = await auditTarget(model(), documents, {
      ...{ seed: 1, neighbours: 2, given, ...work },
      institutions: new Map(documents.map((document, i) => [document, `${i % 6}`])),
    });
    expect(new Set(measured.map(({ documentIndex }) => documentIndex)).size).toBe(8);
    expect(new Set(origins?.values()).size).toBe(2);
  });

  test('says which sentences are of further copies of the notes that are measured on', async () => {
    const documents = Array.from({ length: 10 }, (_, i) => ({
      ...{ id: `${i}`, text: `Seen by ${NAMES[i]}` },
      spans: [{ type: 'PHI', start: 8, end: 11 }],
    }));
    const copies = new Map(
      documents.map((document) => {
        const all = [document, { ...document, text: 'Seen by Ana' }];
        return [document, all.map((each) => ({ document: each, stoodFor: ['Eva'] }))] as const;
      }),
    );
    const options = { seed: 1, neighbours: 2, copies, ...work };
    const { test: measured, furtherCopies } = await auditTarget(model(), documents, options);
    expect(measured).toHaveLength(6);
    expect([...(furtherCopies ?? [])]).toEqual([1, 3, 5].map((i) => measured[i]));
  });

  test('says which of the provider’s notes belong together', async () => {
    const documents = Array.from({ length: 6 }, (_, i) => ({
      ...{ id: `${i}`, text: `Seen by ${NAMES[i]}` },
      spans: [{ type: 'PHI', start: 8, end: 11 }],
    }));
    const members = documents.map(({ text, spans }, i) => {
      const id = templateDocumentId(i % 2, i + 1);
      return { id, text: text.replace('Seen', 'Sent'), spans };
    });
    const { memberOrigins } = await auditTarget(model(), documents, {
      ...{ seed: 1, neighbours: 2, members, ...work },
    });
    expect([...(memberOrigins ?? [])].sort().map(([, origin]) => origin)).toEqual([
      0, 1, 0, 1, 0, 1,
    ]);
  });

  describe('that are among the provider’s', () => {
    const LONG =
      'The patient was seen in the clinic on the day before with a fever that had lasted for';
    const noteOf = (id: string, i: number) => {
      const days = ['one', 'two', 'three'].map((day) => `${LONG} ${day} days of week ${id}.`);
      const text = `Seen by ${NAMES[i]}\n\n${days.join('\n\n')}`;
      return { id: `${id}-${i}`, text, spans: [{ type: 'PHI', start: 8, end: 11 }] };
    };
    const documents = Array.from({ length: 24 }, (_, i) => noteOf(`own${i}`, i));
    const auditedWith = (members: typeof documents) =>
      auditTarget(model(), documents, { ...{ seed: 1, neighbours: 2, members, ...work } });
    /** Names of notes, since each holds one of its own. */
    const notesOf = (part: readonly { readonly documentIndex: number }[]) =>
      new Set(part.map(({ documentIndex }) => documentIndex)).size;

    test('are not measured on, be they the same or nearly, and are counted', async () => {
      const own = documents.slice(0, 6);
      const same = await auditedWith(own);
      const near = await auditedWith(
        own.map((each) => ({ ...each, id: 'other', text: each.text.replace('Seen', 'Sent') })),
      );
      const others = await auditedWith([noteOf('elsewhere', 3)]);
      expect([notesOf(others.test), others.membersLeftOut]).toEqual([7, 0]);
      const { membersLeftOut = 0 } = same;
      expect(membersLeftOut).toBeGreaterThan(0);
      expect(notesOf(same.test)).toBe(7 - membersLeftOut);
      expect([notesOf(near.test), near.membersLeftOut]).toEqual([
        7 - membersLeftOut,
        membersLeftOut,
      ]);
      expect(notesOf(same.train)).toBe(notesOf(others.train));
    });

    test('are refused where too few others are left, and none is named', async () => {
      const refused = auditedWith(documents);
      await expect(refused).rejects.toMatchObject({
        code: 'corpus-invalid',
        message: expect.stringMatching(
          /^--members: 7 of the 7 notes of --corpus .* 0 others are left, where an audit needs 5/,
        ),
      });
      await expect(refused).rejects.not.toThrow(/own\d|Seen/);
    });
  });

  test('of two templates are refused, since three parts are needed', async () => {
    await expect(target(2)).rejects.toMatchObject({
      code: 'corpus-invalid',
      message: expect.stringContaining('found 24 documents of 2 origins'),
    });
  });
});
