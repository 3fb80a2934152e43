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

/** As Label Studio exports JSON_MIN. */
const minItem = {
  ...{ text: TEXT, id: 12, patient: SECRET, choice: [SECRET] },
  sentence: [{ ...at('Fever'), text: 'Fever', labels: ['FINDING'] }],
  name: [{ ...at('Ann Lee'), labels: ['NAME'], note: SECRET }],
  ...{ annotator: 1, annotation_id: 5, lead_time: 2.5, created_at: '2071-01-01T10:00:00Z' },
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

const POS = 'pos="http:///de/tudarmstadt/ukp/dkpro/core/api/lexmorph/type/pos.ecore"';
const SEGMENTATION = 'seg="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore"';
const metadata = 'meta="http:///de/tudarmstadt/ukp/dkpro/core/api/metadata/type.ecore"';
const place = (word: string) => `sofa="1" begin="${utf16(word).begin}" end="${utf16(word).end}"`;
const xmi = `<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:${POS}
  xmlns:${SEGMENTATION} xmlns:${metadata} xmi:version="2.0"><!-- ${SECRET} -->
  <cas:NULL xmi:id="0"/>
  <pos:POS xmi:id="2" ${place('Fever')} PosValue="NN"/>
  <seg:Lemma xmi:id="3" ${place('Ann')} value="${SECRET}"/>
  <seg:Token xmi:id="6" ${place('Fever')} pos="2" lemma="2071"/>
  <meta:DocumentMetaData xmi:id="5" sofa="1" begin="0" end="${TEXT.length}" documentTitle="${SECRET}" documentId="2">
    <tags>${SECRET}</tags>
  </meta:DocumentMetaData>
  <seg:Lemma xmi:id="9" begin="2071" end="3"/>
  <cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="${TEXT}"/>
  <cas:View sofa="1" members="2 3 5 6"/>
</xmi:XMI>
`;

const biocAnnotation = (id: string, label: string, word: string) => {
  const { offset, length } = location(word);
  return (
    `<annotation id="${id}"><infon key="type">${label}</infon>` +
    `<location offset="${offset}" length="${length}"/><text>${word}</text></annotation>`
  );
};
const biocXml = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE collection SYSTEM "BioC.dtd">
<collection><source>${SECRET}</source><date>2020</date><key>k</key><infon key="a">${SECRET}</infon>
<document><id>d1</id><infon key="b">${SECRET}</infon>
<passage><infon key="type">title</infon><infon key="c">${SECRET}</infon><offset>0</offset>
<text>${TEXT.slice(0, 19)}</text>${biocAnnotation('T1', 'NAME', 'Ann')}</passage>
<passage><offset>19</offset><!-- ${SECRET} --><comment>${SECRET}</comment>
<text>${TEXT.slice(20)}</text>${biocAnnotation('T2', 'FINDING', 'Fever')}
<relation id="R1"><infon key="type">of</infon><node refid="T2" role="what"/></relation></passage>
</document></collection>
`;

const rows = [...TEXT.matchAll(/[\p{L}]+|\S/gu)].map(([word], index, all) => {
  const begin = all[index]?.index ?? 0;
  const pos = word === 'Fever' ? 'NN' : word === 'Ann' ? SECRET : '_';
  const label = word === 'Fever' ? 'FINDING' : '_';
  return `1-${index + 1}\t${begin}-${begin + word.length}\t${word}\t${pos}\t${label}\t`;
});
const webanno = `#FORMAT=WebAnno TSV 3.3
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue
#T_SP=webanno.custom.Findings|label

#Text=${TEXT}
${rows.join('\n')}
`;

const FILES: Readonly<Record<LayeredFormat, string>> = {
  doccano: `${JSON.stringify(doccano)}\n`,
  jsonl: `${JSON.stringify({ id: 'n', text: TEXT, spans: [], meta: { note_id: SECRET } })}\n`,
  'label-studio': JSON.stringify([task]),
  'bioc-json': JSON.stringify(bioc),
  'cas-json': JSON.stringify(cas),
  bioc: biocXml,
  xmi,
  webanno,
};

/** The PHI of a file, left as it is or replaced by something longer. */
function changed(format: LayeredFormat, content: string, instead?: string): LayeredFile {
  const treatment = instead === undefined ? 'annotate' : 'replace';
  const file = readLayers(content, format, 'notes', treatment);
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

test('of Label Studio one task stays one, numbers of predictions stay, and JSON_MIN keeps its lists', () => {
  const one = JSON.parse(changed('label-studio', JSON.stringify(task), '[N]').format());
  expect(one).toMatchObject({ id: 12, predictions: [{ model_version: 'tacet' }] });
  const numbered = JSON.stringify([{ ...task, predictions: [4] }]);
  for (const instead of [undefined, '[N]']) {
    const [{ predictions }] = JSON.parse(changed('label-studio', numbered, instead).format());
    expect(predictions).toEqual([4, expect.objectContaining({ model_version: 'tacet' })]);
  }
  const items = JSON.stringify([minItem]);
  const [annotated] = JSON.parse(changed('label-studio', items).format());
  const found = annotated.sentence.slice(1);
  expect(annotated).toEqual({ ...minItem, sentence: [...minItem.sentence, ...found] });
  expect(found).toMatchObject(PHI.map((text) => ({ text, labels: ['PHI'] })));
  const [{ text, sentence, name, ...others }] = JSON.parse(
    changed('label-studio', items, '[N]').format(),
  );
  const points = [...(text as string)];
  const shown = [...sentence, ...name].map(({ start, end }) => points.slice(start, end).join(''));
  expect(shown).toEqual(['Fever', '[N]', '[N]', '[N]', '[N]']);
  expect(name).toEqual([{ start: 2, end: 5, labels: ['NAME'] }]);
  expect(others).toEqual({ id: 12, annotator: 1, annotation_id: 5, lead_time: 2.5 });
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

test('a CAS with words for the name of a type is refused where they would stay', () => {
  const file = JSON.parse(FILES['cas-json']);
  file['%FEATURE_STRUCTURES'].push({
    '%ID': 904,
    '%TYPE': `custom.${SECRET} said`,
    '@sofa': 1,
    ...utf16('Ann'),
  });
  file['%FEATURE_STRUCTURES'].at(-1).value = 'NAME';
  expect(() => changed('cas-json', JSON.stringify(file), 'x')).toThrow(/no name of letters/);
});

test('a mark between two characters of a CAS stays one where the word around it is replaced', () => {
  const file = JSON.parse(FILES['cas-json']);
  const within = utf16('Ann').begin + 1;
  const mark = { '@sofa': 1, begin: within, end: within, value: 'no name of a type' };
  file['%FEATURE_STRUCTURES'].push({ '%ID': 903, '%TYPE': 'custom.Mark', ...mark });
  const written = JSON.parse(changed('cas-json', JSON.stringify(file), '[NAME]').format());
  const structures: Record<string, unknown>[] = written['%FEATURE_STRUCTURES'];
  const { begin, end } = structures.find((each) => each['%ID'] === 903) ?? {};
  expect([typeof begin, end]).toEqual(['number', begin]);
});

test('a structure of a CAS that states half of its place keeps that half, moved', () => {
  const file = JSON.parse(FILES['cas-json']);
  const { begin, end } = { begin: utf16('Fever').begin, end: utf16('Fever').end };
  file['%FEATURE_STRUCTURES'].push(
    { '%ID': 901, '%TYPE': 'uima.tcas.Annotation', '@sofa': 1, begin },
    { '%ID': 902, '%TYPE': 'uima.tcas.Annotation', '@sofa': 1, end },
  );
  const written = changed('cas-json', JSON.stringify(file), '[NAME]').format();
  const structures: { readonly '%ID': number }[] = JSON.parse(written)['%FEATURE_STRUCTURES'];
  const half = (id: number) => structures.find((each) => each['%ID'] === id);
  expect(half(901)).toEqual(expect.objectContaining({ begin: expect.any(Number) }));
  expect(half(901)).not.toHaveProperty('end');
  expect(half(902)).toEqual(expect.objectContaining({ end: expect.any(Number) }));
  expect(() => changed('cas-json', written)).not.toThrow();
});

test('what UIMA needs of a CAS stays: the order of its parts, long names of types, ranges of arrays', () => {
  const [long, entity] = [`org.${'package.'.repeat(9)}Links`, 'de.x.Entity'];
  const links = { '%NAME': 'links', '%RANGE': 'de.x.Entity[]' };
  const types = {
    [entity]: { '%NAME': entity, '%SUPER_TYPE': 'uima.tcas.Annotation' },
    [long]: { '%NAME': long, '%SUPER_TYPE': 'uima.tcas.Annotation', links },
  };
  const link = { '%ID': 905, '%TYPE': long, '@sofa': 1, ...utf16('Fever'), '@links': 4 };
  const structures = [...cas['%FEATURE_STRUCTURES'], link];
  const content = JSON.stringify({ ...cas, '%TYPES': types, '%FEATURE_STRUCTURES': structures });
  for (const instead of [undefined, '[NAME]']) {
    const written = JSON.parse(changed('cas-json', content, instead).format());
    expect(Object.keys(written)).toEqual(['%TYPES', '%FEATURE_STRUCTURES', '%VIEWS']);
    expect(written['%TYPES']).toEqual(expect.objectContaining(types));
  }
});

test.each([undefined, '[NAME]'])('offsets of a CAS count what its header says (%s)', (instead) => {
  const counts = {
    'UTF-8': (text: string) => Buffer.byteLength(text),
    'UTF-32': (text: string) => [...text].length,
  };
  for (const [encoding, count] of Object.entries(counts)) {
    const structures = cas['%FEATURE_STRUCTURES'].map((each) =>
      'begin' in each
        ? { ...each, begin: count(TEXT.slice(0, each.begin)), end: count(TEXT.slice(0, each.end)) }
        : each,
    );
    const header = { '%HEADER': { 'offset-encoding': encoding } };
    const content = JSON.stringify({ ...header, ...cas, '%FEATURE_STRUCTURES': structures });
    const written = JSON.parse(changed('cas-json', content, instead).format());
    expect(Object.entries(written)[0]).toEqual(Object.entries(header)[0]);
    const [sofa, pos, ...others] = written['%FEATURE_STRUCTURES'];
    const text: string = sofa.sofaString;
    const places = Array.from({ length: text.length + 1 }, (_, at) => at);
    const at = (offset: number) => places.find((end) => count(text.slice(0, end)) === offset);
    const marked = ({ begin, end }: { begin: number; end: number }) =>
      text.slice(at(begin), at(end));
    expect(marked(pos)).toBe('Fever');
    const found = others.filter(({ value }: { value?: string }) => value === 'PHI');
    expect(found.map(marked)).toEqual(instead === undefined ? PHI : PHI.map(() => instead));
  }
});

test('a name of a view and ids of a CAS can hold no words of the text', () => {
  const [sofa, ...others] = cas['%FEATURE_STRUCTURES'];
  const named = [{ ...sofa, sofaID: SECRET }, ...others];
  const views = { [SECRET]: { '%SOFA': 1, '%MEMBERS': [2] } };
  const file = { ...cas, '%FEATURE_STRUCTURES': named, '%VIEWS': views };
  const written = changed('cas-json', JSON.stringify(file), '[NAME]').format();
  expect(written).not.toContain(SECRET);
  expect(JSON.parse(written)['%VIEWS']._InitialView['%MEMBERS'][0]).toBe(2);
  const identified = [sofa, { ...others[0], '%ID': SECRET }];
  const withWords = JSON.stringify({ ...cas, '%FEATURE_STRUCTURES': identified });
  expect(() => changed('cas-json', withWords, 'x')).toThrow(/%ID must match pattern/);
  const viewed = FILES.xmi.replace('_InitialView', SECRET);
  const again = changed('xmi', viewed, '[NAME]').format();
  expect(again).not.toContain(SECRET);
  expect(again).toContain('sofaID="_InitialView"');
});

test('names of controls that could be words of the text are not taken for what was found', () => {
  const regions = task.annotations[0]?.result.map((each) => ({ ...each, from_name: SECRET }));
  const annotations = [{ ...task.annotations[0], result: regions }];
  const content = JSON.stringify([{ ...task, annotations }]);
  const written = changed('label-studio', content, '[NAME]').format();
  expect(written).not.toContain(SECRET);
  expect(JSON.parse(written)[0].predictions[0].result[0].from_name).toBe('label');
  expect(changed('label-studio', content).format()).toContain(`"from_name":"${SECRET}","to_name"`);
});

test('structures of a CAS that lie in an object keep their keys as ids', () => {
  const own = cas['%FEATURE_STRUCTURES'].map(({ '%ID': id, ...each }) => [id, each] as const);
  const second = own[1]?.[1] as object;
  const structures = { ...Object.fromEntries(own), 2: { ...second, '%ID': 3 } };
  const content = JSON.stringify({ ...cas, '%FEATURE_STRUCTURES': structures });
  const written = JSON.parse(changed('cas-json', content).format())['%FEATURE_STRUCTURES'];
  expect(written).toEqual(expect.objectContaining(Object.fromEntries(own)));
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

/** Whether everything of `before` stands in `after`, whose lists may be longer. */
function heldBy(after: unknown, before: unknown): boolean {
  if (typeof before !== 'object' || before === null) return Object.is(after, before);
  return Object.entries(before).every(([key, value]) =>
    heldBy((after as Record<string, unknown>)?.[key], value),
  );
}

describe('WebAnno TSV with a layer of entities', () => {
  const entities = 'de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value';
  const file = (...lines: string[]) =>
    `#FORMAT=WebAnno TSV 3.3\r\n#T_SP=${entities}\r\n\r\n#Text=Bobs son\r\n${lines.join('\r\n')}\r\n`;
  const found = (content: string, ...spans: readonly [start: number, end: number][]) => {
    const read = readLayers(content, 'webanno', 'notes', 'annotate');
    const [document] = read.documents;
    const replacements = spans.map(([start, end]) => {
      return { type: 'PHI', start, end, text: 'Bobs son'.slice(start, end) };
    });
    document?.change(new TextChange('Bobs son', replacements));
    return read.format();
  };

  test('a part of a token gets a row of its own behind those that there are', () => {
    const before = file(
      ...['1-1\t0-4\tBobs\t_\t_\t', '1-1.1\t3-4\ts\t*\tEND\t', '1-2\t5-8\tson\t_\t_\t'],
    );
    const after = file(
      ...['1-1\t0-4\tBobs\t_\t_\t', '1-1.1\t3-4\ts\t*\tEND\t', '1-1.2\t0-3\tBob\t*\tPHI\t'],
      '1-2\t5-8\tson\t_\t_\t',
    );
    expect(found(before, [0, 3])).toBe(after);
  });

  test('one of several rows has a number that no other has, beside what is there', () => {
    const before = file('1-1\t0-4\tBobs\t*[4]\tOLD[4]\t', '1-2\t5-8\tson\t*[4]\tOLD[4]\t');
    const after = file(
      '1-1\t0-4\tBobs\t*[4]|*[5]\tOLD[4]|PHI[5]\t',
      '1-2\t5-8\tson\t*[4]|*[5]\tOLD[4]|PHI[5]\t',
    );
    expect(found(before, [0, 8])).toBe(after);
  });
});

test('numbers that XMI holds as strings stay where they are places or references alone', () => {
  const after = changed('xmi', xmi, 'X').format();
  expect(after).toContain('pos="2"');
  expect(after).toContain('members="2 3 5 6 10 11 12"');
  expect(after).not.toContain('2071');
  expect(after).not.toContain('documentId');
  const back = readLayers(after, 'xmi', 'notes', 'annotate').documents[0]?.text;
  expect(back).toBe('😀 X saw X. Fever since X.');
});
