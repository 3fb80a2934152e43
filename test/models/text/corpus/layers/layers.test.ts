import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  LAYERED_FORMATS,
  type LayeredFormat,
  readLayers,
} from '../../../../../models/text/corpus/layers/read-layers.js';
import { TextChange } from '../../../../../models/text/corpus/layers/text-change.js';
import { TacetError } from '../../../../../proto/errors.js';
import { cas, changed, FILES, minItem, PHI, SECRET, task } from './layered-files.js';

const KINDS: readonly (readonly [string, LayeredFormat, string])[] = [
  ...LAYERED_FORMATS.map((format) => [format, format, FILES[format]] as const),
  ['label-studio of one task', 'label-studio', JSON.stringify(task)],
  [
    'label-studio with predictions, some their numbers alone',
    'label-studio',
    JSON.stringify([{ ...task, predictions: [4, ...task.annotations], drafts: [SECRET] }]),
  ],
  ['label-studio in JSON_MIN', 'label-studio', JSON.stringify([minItem])],
];

describe.each(KINDS)('%s', (kind, format, content) => {
  const isJson = !['bioc', 'xmi', 'webanno'].includes(format);
  const parsed = (text: string) =>
    JSON.parse(format === 'doccano' || format === 'jsonl' ? `[${text.trim()}]` : text) as unknown;
  const marks = { bioc: />PHI</g, xmi: / value="PHI"/g, webanno: /PHI(\[\d+\])?\t/g };

  test('with the text as it is, keeps all that it held and says where PHI stands', () => {
    const file = changed(format, content);
    expect(file.removed).toBe(0);
    const after = file.format();
    if (isJson) expect(heldBy(parsed(after), parsed(content))).toBe(true);
    else
      for (const part of content.split(/[<>\n\t]+/))
        if (!/members|^#Text|XMI/.test(part)) expect(after).toContain(part);
    const again = changed(format, file.format());
    expect(again.documents.map(({ text }) => text)).toEqual(file.documents.map(({ text }) => text));
    const mark = marks[format as keyof typeof marks] ?? /"PHI"/g;
    // "Ann Lee" has a row for each of its tokens.
    const expected = PHI.length + Number(format === 'webanno');
    expect(after.match(mark)).toHaveLength(expected);
  });

  test('with another text, lets no word of PHI through and moves every offset', () => {
    const file = changed(format, content, 'Somebody 😀 else');
    const after = file.format();
    for (const word of [...PHI, 'Lee']) expect(after).not.toContain(word);
    expect(file.removed).toBeGreaterThan(0);
    const [document] = readLayers(after, format, 'notes', 'annotate').documents;
    expect(document?.text).toContain('Fever since Somebody 😀 else.');
  });

  test('is built anew where nothing was found in its text, too', () => {
    const file = readLayers(content, format, 'notes', 'replace');
    const texts = file.documents.map(({ text }) => text);
    for (const [index, document] of file.documents.entries())
      document.change(new TextChange(texts[index] as string, []));
    const written = file.format();
    expect(file.removed).toBeGreaterThan(0);
    const inTexts = texts.join('').split(SECRET).length;
    expect(written.split(SECRET).length - 1).toBeLessThanOrEqual(2 * inTexts);
    expect(written).not.toContain('2071');
    const again = readLayers(written, format, 'notes', 'replace');
    expect(again.documents.map(({ text }) => text)).toEqual(texts);
    // Nothing is left to take out but the name that a prediction of ours has.
    for (const [index, document] of again.documents.entries())
      document.change(new TextChange(texts[index] as string, []));
    again.format();
    const isTask = format === 'label-studio' && !kind.includes('MIN');
    expect(again.removed).toBe(Number(isTask));
  });

  test('is refused where it is damaged, without a word of it, or written whole', () => {
    fc.assert(
      fc.property(fc.nat(content.length), fc.constantFrom('', '"', '}', '9', 'x'), (place, put) => {
        const damaged = content.slice(0, place) + put + content.slice(place + 1);
        try {
          changed(format, damaged, '***').format();
        } catch (error) {
          expect(error).toBeInstanceOf(TacetError);
          expect((error as Error).message).not.toMatch(/Ann(?!o)|Lee|Bob/);
        }
      }),
      { numRuns: 150 },
    );
  });
});

/** Whether everything of `before` stands in `after`, whose lists may be longer. */
function heldBy(after: unknown, before: unknown): boolean {
  if (typeof before !== 'object' || before === null) return Object.is(after, before);
  return Object.entries(before).every(([key, value]) =>
    heldBy((after as Record<string, unknown>)?.[key], value),
  );
}

describe('a line without spans gets them', () => {
  const line = (fields: object) => JSON.stringify({ text: 'Ann', ...fields });
  const spansIn = (lines: readonly string[]) => {
    const file = readLayers(lines.join('\n'), 'jsonl', 'notes', 'annotate');
    for (const document of file.documents)
      document.change(new TextChange('Ann', [{ type: 'NAME', start: 0, end: 3, text: 'Ann' }]));
    const written = file.format().split('\n');
    return written.map((each) => ({ ...JSON.parse(each), text: undefined }));
  };
  const object = { start: 0, end: 3, label: 'NAME' };
  const triple = [0, 3, 'NAME'];

  test.each([
    ['spans', object],
    ['ents', object],
    ['annotations', object],
    ['entities', triple],
    ['label', triple],
    ['labels', triple],
  ])('as tools write them under %s', (key, span) => {
    expect(spansIn([line({ [key]: [] })])).toEqual([{ [key]: [span] }]);
  });

  test('as the other lines of its file have them, before it and behind it', () => {
    const long = { id: 4, type: 'DATE', start_offset: 1, end_offset: 2 };
    const added = { id: 0, type: 'NAME', start_offset: 0, end_offset: 3 };
    const [first, , last, without] = spansIn([
      line({ entities: [] }),
      line({ entities: [long] }),
      line({ entities: [] }),
      line({}),
    ]);
    for (const found of [first, last, without]) expect(found).toEqual({ entities: [added] });
    expect(spansIn([line({ spans: [] }), line({ spans: [triple] })])[0]).toEqual({
      spans: [triple],
    });
  });
});

test('covered texts and offsets of other layers are those of the changed text', () => {
  const [line] = JSON.parse(`[${changed('doccano', FILES.doccano, '[NAME]').format().trim()}]`);
  const points = [...(line.text as string)];
  const covered = line.entities.map((entity: Record<string, number>) => [
    entity.label,
    points.slice(entity.start_offset, entity.end_offset).join(''),
  ]);
  expect(covered).toEqual([
    ['FINDING', 'Fever'],
    ['NAME', '[NAME]'],
    ...PHI.map(() => ['PHI', '[NAME]']),
  ]);
  expect(line.relations).toEqual([{ id: 1, from_id: 3, to_id: 4, type: 'of' }]);
  const [{ annotations }] = JSON.parse(
    changed('label-studio', FILES['label-studio'], '[N]').format(),
  );
  const [region, relation, ...others] = annotations[0].result;
  expect(region).toMatchObject({ id: '1', value: { text: 'Fever', labels: ['FINDING'] } });
  expect(relation).toMatchObject({ from_id: '1', to_id: '1', direction: 'right' });
  expect(others).toEqual([]);
});

test('passages and their annotations count from the start of the changed document', () => {
  const { documents } = JSON.parse(changed('bioc-json', FILES['bioc-json'], '[NAME]').format());
  const [first, second] = documents[0].passages;
  const points = [...(second.text as string)];
  expect(second.offset - first.offset).toBe([...(first.text as string)].length + 1);
  const [finding, other] = second.annotations;
  expect(other.infons).toEqual({ label: 'TIME' });
  const { offset, length } = finding.locations[0];
  const from = offset - second.offset;
  expect(points.slice(from, from + length).join('')).toBe('Fever');
  expect(finding).toMatchObject({ id: 'T2', text: 'Fever', infons: { type: 'FINDING' } });
});

test.each([undefined, '[NAME]'])('numbers keep all their digits (%s)', (instead) => {
  const id = '12345678901234567890';
  const [score, far] = ['0.12345678901234567890', '-1e400'];
  const files: readonly (readonly [LayeredFormat, string, string])[] = [
    ['doccano', FILES.doccano.replace('"id":7', `"id":${id}`), `"id":${id}`],
    ['jsonl', FILES.jsonl.replace('"id":"n"', `"id":${id}`), `"id":${id}`],
    ['label-studio', FILES['label-studio'].replace('"id":12', `"id":${id}`), `"id":${id}`],
    [
      'label-studio',
      FILES['label-studio'].replace('"lead_time":2.5', `"lead_time":${score}`),
      score,
    ],
    [
      'cas-json',
      FILES['cas-json'].replace('"PosValue"', `"big":${far},"PosValue"`),
      `"big":${far}`,
    ],
  ];
  for (const [format, content, kept] of files) {
    expect(content).toContain(kept);
    expect(changed(format, content, instead).format()).toContain(kept);
  }
  const called = FILES['cas-json'].replace('"_InitialView"', id);
  expect(JSON.parse(changed('cas-json', called).format())['%VIEWS']).toHaveProperty(id);
  const plain = FILES.doccano.replace('"id":7', '"id":7.0');
  expect(changed('doccano', plain, instead).format()).toContain('"id":7,');
  const odd = FILES.doccano.replace('"id":7', `"note":"\\u0000#1","id":${id}`);
  expect(() => changed('doccano', odd, instead)).toThrow(/more digits than can be kept/);
  const alone = FILES.doccano.replace('"id":7', '"note":"\\u0000#1","id":7');
  if (instead === undefined)
    expect(changed('doccano', alone).format()).toContain('"note":"\\u0000#1"');
  const leading = FILES.doccano.replace('"id":7', `"id":0${id}`);
  expect(() => changed('doccano', leading, instead)).toThrow(/expected a JSON object/);
});

test.each<[LayeredFormat, string]>([
  ['doccano', '"id":7'],
  ['jsonl', '"id":"n"'],
  ['label-studio', '"id":12'],
  ['bioc-json', '"key":"k"'],
  ['cas-json', '"PosValue":"NN"'],
])('%s whose values nest without end is refused, up to 200 written back', (format, beside) => {
  const nested = (depth: number) =>
    FILES[format].replace(beside, `${beside},"deep":${'['.repeat(depth)}"]["${']'.repeat(depth)}`);
  expect(changed(format, nested(200)).format()).toContain('"deep":[[');
  for (const depth of [300, 50_000])
    expect(() => changed(format, nested(depth))).toThrow(/lie deeper than 256/);
});

test('strings of millions of characters are written back', () => {
  const long = 'x\\n'.repeat(12_000_000);
  const content = FILES.doccano.replace('"id":7', `"id":7,"image":"${long}"`);
  expect(changed('doccano', content).format()).toContain(long);
});

test('a file of very many marks is written back', () => {
  const [sofa] = cas['%FEATURE_STRUCTURES'];
  const many = Array.from({ length: 200_000 }, (_, index) => index + 2);
  const structures = [sofa, ...many.map((id) => ({ '%ID': id, '%TYPE': 'uima.cas.TOP' }))];
  const file = JSON.stringify({ ...cas, '%FEATURE_STRUCTURES': structures });
  expect(() => changed('cas-json', file)).not.toThrow();
  const elements = many.map((id) => `<cas:TOP xmi:id="${id + 10}"/>`).join('');
  expect(() =>
    changed('xmi', FILES.xmi.replace('<cas:Sofa', `${elements}<cas:Sofa`)),
  ).not.toThrow();
  const numbers = many.map((id) => `*[${id}]`).join('|');
  expect(() => changed('webanno', FILES.webanno.replace('\tNN\t', `\t${numbers}\t`))).not.toThrow();
});
