import { afterAll, describe, expect, test } from '@jest/globals';
import { readAll, TemporaryFiles } from './temporary-files.js';

const files = new TemporaryFiles();
afterAll(() => files.remove());

const read = (line: object, options = {}) =>
  readAll(files.write({ 'a.jsonl': JSON.stringify(line) }), options);

describe('the spans of a JSON line are read', () => {
  const text = '😀 Ann';
  const ours = { start: 2, end: 5, label: 'NAME' };
  const theirs = { start_offset: 2, end_offset: 5, label: 'NAME' };
  const triple = [2, 5, 'NAME'];

  test.each<[string, object]>([
    ['as we write them', { spans: [ours] }],
    [
      'with `type` for `label`, as spans are called over HTTP',
      { spans: [{ ...ours, label: undefined, type: 'NAME' }] },
    ],
    ['with both, where they agree', { spans: [{ ...ours, type: 'NAME' }] }],
    ['from doccano', { id: 1, label: [triple], Comments: [] }],
    ['from older doccano', { labels: [triple], meta: {} }],
    [
      'from doccano with relations',
      { entities: [{ id: 7, ...theirs }], relations: [], Comments: [] },
    ],
    ['from doccano as annotations', { annotations: [{ id: 7, user: 1, ...theirs }] }],
    ['of spaCy’s training data', { entities: [triple] }],
    [
      'from spaCy’s Doc.to_json',
      { ents: [ours], tokens: [{ id: 0, start: 0, end: 1, tag: 'NN' }] },
    ],
    [
      'from Prodigy',
      {
        spans: [{ ...ours, token_start: 1, token_end: 1 }],
        tokens: [{ text: 'Ann', start: 2, end: 5, id: 1 }],
        answer: 'accept',
        label: 'NAME',
        _input_hash: 1,
      },
    ],
  ])('%s', async (_, line) => {
    expect(await read({ text, ...line }, { requireAnnotations: true })).toMatchObject([
      { text, spans: [{ type: 'NAME', start: 3, end: 6 }] },
    ]);
  });

  test.each(['spans', 'label', 'labels', 'entities', 'ents', 'annotations'])(
    'as none where %s is an empty list',
    async (key) => {
      expect(await read({ text, [key]: [] }, { requireAnnotations: true })).toMatchObject([
        { spans: [] },
      ]);
    },
  );
});

describe('a JSON line whose annotations would be passed over is refused', () => {
  const text = 'Zacarias';

  test.each<[string, object, RegExp]>([
    [
      'of an unknown key with triples',
      { notes: [[0, 8, 'NAME']] },
      /: key 2 of the object looks like annotations.*expected 'spans'/,
    ],
    [
      'of an unknown key with offsets deep in it',
      { data: { marks: [{ range: { start: 0, end: 8 } }] } },
      /: key 2 of the object looks/,
    ],
    ['of a known name, even empty', { ner_tags: [] }, /: key 2 of the object looks/],
    [
      'beside an empty list',
      { spans: [], entity_mentions: [{ from: 0, to: 8 }] },
      /: key 3 of the object looks/,
    ],
    [
      'by groups, as spaCy’s SpanGroups',
      { spans: { sc: [{ start: 0, end: 8, label: 'NAME' }] } },
      /'spans' looks/,
    ],
    ['on tokens', { tokens: [{ text: 'Zacarias', ent_type: 'NAME' }] }, /'tokens' looks/],
    [
      'under two keys',
      { label: [], entities: [[0, 8, 'NAME']] },
      /'entities' and 'label' both hold/,
    ],
    ['as a label of the whole text', { label: 'NAME' }, /'label' holds no list/],
    [
      'that were rejected',
      { spans: [{ start: 0, end: 8, label: 'NAME' }], answer: 'reject' },
      /'answer' says/,
    ],
    [
      'with labels as numbers',
      { label: [[0, 8, 3]] },
      /\/label\/0 must be object; expected 'spans'/,
    ],
    [
      'with another label than type',
      { spans: [{ start: 0, end: 8, label: 'A', type: 'B' }] },
      /\/spans\/0 has another 'label' than 'type'/,
    ],
    ['with four values', { entities: [[0, 8, 'NAME', 'Q1']] }, /\/entities\/0 must be object/],
    ['without an end', { entities: [{ start: 0, label: 'NAME' }] }, /\/entities\/0 has no 'end'/],
    ['of a key that is a word', { Zacarias: [[0, 8, 'NAME']] }, /key 2 of the object looks like/],
    [
      'of a key that is no name',
      { 'Zacarias was here': [[0, 8, 'NAME']] },
      /key 2 of the object looks like/,
    ],
  ])('%s', async (_, line, message) => {
    const error = (await read({ text, ...line }).catch((caught: unknown) => caught)) as Error;
    expect(error).toMatchObject({
      code: 'corpus-invalid',
      message: expect.stringMatching(message),
    });
    expect(error.message).toMatch(/a\.jsonl:1: /);
    expect(error.message).not.toContain('Zacarias');
  });

  test.each<[string, object]>([
    ['alone', {}],
    [
      'with what is known of the note',
      { meta: { start: 3 }, date: '2001', score: { auc: 1 }, ids: [1, 2] },
    ],
    ['with tokens and parts of speech', { tokens: [{ id: 0, start: 0, end: 8, tag: 'NNP' }] }],
  ])('while a text %s is a note that nobody annotated', async (_, line) => {
    expect(await read({ text, ...line })).toMatchObject([{ text, spans: [] }]);
    await expect(read({ text, ...line }, { requireAnnotations: true })).rejects.toThrow(
      /no annotations/,
    );
  });
});
