import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { LayeredFile } from '../../../../../models/text/corpus/layers/layered-file.js';
import {
  LAYERED_FORMATS,
  type LayeredFormat,
  readLayers,
} from '../../../../../models/text/corpus/layers/read-layers.js';
import { TextChange } from '../../../../../models/text/corpus/layers/text-change.js';
import { TacetError } from '../../../../../proto/errors.js';

const TEXT = '😀 Ann Lee saw Bob. Fever since May.';
const PHI = ['Ann Lee', 'Bob', 'May'];
const SECRET = 'Ann Lee';

const at = (word: string, text = TEXT) => {
  const start = [...text.slice(0, text.indexOf(word))].length;
  return { start, end: start + [...word].length };
};
const utf16 = (word: string) => {
  const begin = TEXT.indexOf(word);
  return { begin, end: begin + word.length };
};

const doccano = {
  id: 7,
  text: TEXT,
  entities: [
    { id: 3, label: 'FINDING', start_offset: at('Fever').start, end_offset: at('Fever').end },
    { id: 4, label: 'NAME', start_offset: at('Ann').start, end_offset: at('Ann Lee').end },
  ],
  relations: [{ id: 1, from_id: 3, to_id: 4, type: 'of' }],
  Comments: [SECRET],
  meta: { file: SECRET },
};

const task = {
  id: 12,
  data: { text: TEXT, patient: SECRET },
  meta: { note: SECRET },
  annotations: [
    {
      ...{ id: 5, completed_by: { email: SECRET }, lead_time: 2.5, ground_truth: false },
      result: [
        {
          ...{ id: 'Ann-Lee', from_name: 'l', to_name: 't', type: 'labels', origin: 'manual' },
          value: { ...at('Fever'), text: 'Fever', labels: ['FINDING'] },
        },
        { type: 'relation', from_id: 'Ann-Lee', to_id: 'Ann-Lee', direction: 'right' },
        { id: 'c', from_name: 'c', to_name: 't', type: 'textarea', value: { text: [SECRET] } },
      ],
    },
  ],
};

const location = (word: string) => {
  const { start, end } = at(word);
  return { offset: start, length: end - start };
};
const bioc = {
  ...{ source: SECRET, date: '2020', key: 'k', infons: { a: SECRET } },
  documents: [
    {
      id: 'd1',
      infons: { b: SECRET },
      passages: [
        {
          offset: 0,
          infons: { type: 'title', c: SECRET },
          text: TEXT.slice(0, 19),
          annotations: [
            { id: 'T1', infons: { type: 'NAME' }, text: 'Ann', locations: [location('Ann')] },
          ],
          relations: [],
        },
        {
          offset: 19,
          infons: {},
          text: TEXT.slice(20),
          annotations: [
            {
              ...{ id: 'T2', infons: { type: 'FINDING', id: SECRET }, text: 'Fever' },
              locations: [location('Fever')],
            },
            { id: 'T3', infons: { label: 'TIME' }, locations: [location('since')] },
          ],
          relations: [{ id: 'R1', infons: { type: 'of' }, nodes: [{ refid: 'T2', role: 'what' }] }],
        },
      ],
      annotations: [],
      relations: [],
    },
  ],
};

const cas = {
  '%TYPES': { 'custom.Lemma': { '%NAME': 'custom.Lemma', '%SUPER_TYPE': 'uima.tcas.Annotation' } },
  '%FEATURE_STRUCTURES': [
    { '%ID': 1, '%TYPE': 'uima.cas.Sofa', sofaNum: 1, sofaID: '_InitialView', sofaString: TEXT },
    {
      ...{ '%ID': 2, '%TYPE': 'de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS' },
      ...{ '@sofa': 1, ...utf16('Fever'), PosValue: 'NN', '%FLAGS': { of: SECRET } },
    },
    {
      ...{ '%ID': 3, '%TYPE': 'de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Lemma' },
      ...{ '@sofa': 1, ...utf16('Ann'), value: SECRET },
    },
    { '%ID': 4, '%TYPE': 'uima.cas.FSArray', '%ELEMENTS': [2, 3] },
    {
      ...{ '%ID': 5, '%TYPE': 'de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData' },
      ...{ '@sofa': 1, begin: 0, end: TEXT.length, documentTitle: SECRET, '@pos': 2 },
    },
  ],
  '%VIEWS': { _InitialView: { '%SOFA': 1, '%MEMBERS': [2, 3, 5], note: SECRET } },
};

const FILES: Readonly<Record<LayeredFormat, string>> = {
  doccano: `${JSON.stringify(doccano)}\n`,
  jsonl: `${JSON.stringify({ id: 'n', text: TEXT, spans: [], meta: { note_id: SECRET } })}\n`,
  'label-studio': JSON.stringify([task]),
  'bioc-json': JSON.stringify(bioc),
  'cas-json': JSON.stringify(cas),
};

/** The PHI of a file, left as it is or replaced by something longer. */
function changed(format: LayeredFormat, content: string, instead?: string): LayeredFile {
  const file = readLayers(content, format, 'notes');
  for (const document of file.documents) {
    const replacements = PHI.flatMap((word) => {
      const start = document.text.indexOf(word);
      const end = start + word.length;
      return start < 0 ? [] : [{ type: 'PHI', start, end, text: instead ?? word }];
    });
    document.change(new TextChange(document.text, replacements));
  }
  return file;
}

describe.each(LAYERED_FORMATS)('%s', (format) => {
  const content = FILES[format];
  const parsed = (text: string) =>
    JSON.parse(format === 'doccano' || format === 'jsonl' ? `[${text.trim()}]` : text) as unknown;

  test('with the text as it is, keeps all that it held and says where PHI stands', () => {
    const file = changed(format, content);
    expect(file.removed).toBe(0);
    const after = parsed(file.format());
    expect(heldBy(after, parsed(content))).toBe(true);
    const again = changed(format, file.format());
    expect(again.documents.map(({ text }) => text)).toEqual(file.documents.map(({ text }) => text));
    expect(JSON.stringify(after).match(/"PHI"/g)).toHaveLength(PHI.length);
  });

  test('with another text, lets no word of PHI through and moves every offset', () => {
    const file = changed(format, content, 'Somebody 😀 else');
    const after = file.format();
    for (const word of [...PHI, 'Lee']) expect(after).not.toContain(word);
    expect(file.removed).toBeGreaterThan(0);
    const [document] = readLayers(after, format, 'notes').documents;
    expect(document?.text).toContain('Fever since Somebody 😀 else.');
  });

  test('is refused where it is damaged, without a word of it, or written whole', () => {
    fc.assert(
      fc.property(fc.nat(content.length), fc.constantFrom('', '"', '}', '9', 'x'), (place, put) => {
        const damaged = content.slice(0, place) + put + content.slice(place + 1);
        try {
          changed(format, damaged, '***').format();
        } catch (error) {
          expect(error).toBeInstanceOf(TacetError);
          expect((error as Error).message).not.toMatch(/Ann|Lee|Bob/);
        }
      }),
      { numRuns: 150 },
    );
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

test('structures of a CAS keep their tags and references, and lose what could be words of the text', () => {
  const file = JSON.parse(changed('cas-json', FILES['cas-json'], '[NAME]').format());
  const [sofa, pos, lemma, array] = file['%FEATURE_STRUCTURES'];
  expect(sofa.sofaString.slice(pos.begin, pos.end)).toBe('Fever');
  expect([pos.PosValue, lemma.value, array['%ELEMENTS']]).toEqual(['NN', undefined, [2, 3]]);
});

test('a CAS of several texts is refused where one of them would stay', () => {
  const [sofa, ...others] = cas['%FEATURE_STRUCTURES'];
  const another = { ...sofa, '%ID': 9, sofaID: 'Other', sofaString: SECRET };
  const file = JSON.stringify({ ...cas, '%FEATURE_STRUCTURES': [sofa, another, ...others] });
  expect(() => changed('cas-json', file, 'x')).toThrow(/several texts/);
  expect(changed('cas-json', file).format()).toContain(SECRET);
});

/** Whether everything of `before` stands in `after`, whose lists may be longer. */
function heldBy(after: unknown, before: unknown): boolean {
  if (typeof before !== 'object' || before === null) return Object.is(after, before);
  return Object.entries(before).every(([key, value]) =>
    heldBy((after as Record<string, unknown>)?.[key], value),
  );
}
