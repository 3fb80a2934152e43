import { afterAll, describe, expect, test } from '@jest/globals';
import { readAll, TemporaryFiles } from './temporary-files.js';

/**
 * Small files in the shapes that the tools themselves write, made after public ones: doccano's
 * `backend/data_export/pipeline/examples/sequence_labeling/example.jsonl`, HumanSignal/label-studio's
 * `label_studio/tests/test_suites/samples`, bionlplab/bioc's `tests/bioc/everything.xml` and `.json`,
 * dkpro/dkpro-cassis' `tests/test_files` and inception-project/inception's `tsv3-suite`.
 */
const files = new TemporaryFiles();
afterAll(() => files.remove());

const secret = 'Zacarias';

/** Reads one file, and the documents without their ids. */
async function read(name: string, content: string) {
  const documents = await readAll(files.write({ [name]: content }));
  return documents.map(({ text, spans }) => ({
    text,
    spans: spans.map(({ type, start, end }) => [type, text.slice(start, end)]),
  }));
}

async function refusal(name: string, content: string): Promise<string> {
  const error = await read(name, content).catch((caught: Error) => caught);
  expect(error).toMatchObject({ code: 'corpus-invalid' });
  expect((error as Error).message).not.toContain(secret);
  return (error as Error).message;
}

describe('doccano', () => {
  test.each([
    ['triples', { label: [[2, 5, 'NAME']] }],
    [
      'entities with relations',
      {
        entities: [{ id: 0, label: 'NAME', start_offset: 2, end_offset: 5 }],
        relations: [],
        Comments: [],
      },
    ],
  ])('is read with %s, in code points', async (_, labels) => {
    const line = JSON.stringify({ id: 1, text: '😀 Ann', ...labels });
    expect(await read('export.jsonl', line)).toEqual([
      { text: '😀 Ann', spans: [['NAME', 'Ann']] },
    ]);
  });

  test('with ids of labels in place of their names is refused', async () => {
    const annotations = [{ id: 1, label: 2, start_offset: 0, end_offset: 8, user: 1 }];
    const message = await refusal('a.jsonl', JSON.stringify({ text: secret, annotations }));
    expect(message).toMatch(/a\.jsonl:1: \/annotations\/0\/label must be string/);
  });
});

const region = (value: object, change: object = {}) => ({
  ...{ id: 'x', from_name: 'label', to_name: 'text', type: 'labels', value },
  ...change,
});
const ann = region({ start: 2, end: 5, text: 'Ann', labels: ['NAME'] });
const task = (change: object = {}) => ({
  ...{ id: 7, annotations: [{ id: 1, completed_by: 1, result: [ann], was_cancelled: false }] },
  ...{ file_upload: 'a.json', drafts: [], predictions: [], data: { text: '😀 Ann' }, meta: {} },
  ...change,
});

describe('a Label Studio export', () => {
  const found = { text: '😀 Ann', spans: [['NAME', 'Ann']] };

  test('gives a document a task', async () => {
    expect(await readAll(files.write({ 'a.json': JSON.stringify([task()], null, 2) }))).toEqual([
      { id: '7', text: '😀 Ann', spans: [{ type: 'NAME', start: 3, end: 6 }] },
    ]);
  });

  test.each([
    [
      'UTF-16 units, as before 1.5',
      task({
        annotations: [{ result: [region({ start: 3, end: 6, text: 'Ann', labels: ['NAME'] })] }],
      }),
    ],
    [
      'predictions, where nobody annotated',
      task({ annotations: [], predictions: [{ result: [ann], model_version: 'm' }] }),
    ],
    [
      'the ground truth among several',
      task({ annotations: [{ result: [] }, { result: [ann], ground_truth: true }] }),
    ],
    [
      'what was not cancelled',
      task({ annotations: [{ result: [], was_cancelled: true }, { result: [ann] }] }),
    ],
    ['the key that regions name', task({ data: { text2: 'x', text: '😀 Ann' } })],
    [
      'completions of before 1.0',
      task({ annotations: undefined, completions: [{ result: [ann] }] }),
    ],
    [
      'other answers beside regions',
      task({ annotations: [{ result: [ann, { type: 'choices', value: { choices: ['A'] } }] }] }),
    ],
  ])('is read by %s', async (_, given) => {
    expect(await read('a.json', JSON.stringify([given]))).toEqual([found]);
  });

  test('is read where it is one task, without an array around it', async () => {
    const task = { id: 7, annotations: [{ result: [ann] }], data: { text: '😀 Ann' } };
    expect(await read('a.json', `\ufeff ${JSON.stringify(task)}\n`)).toEqual([
      { text: '😀 Ann', spans: [['NAME', 'Ann']] },
    ]);
    const cut = JSON.stringify(task).slice(0, -1);
    expect(await refusal('a.json', cut)).toMatch(/the JSON object is not closed/);
    expect(await refusal('a.json', `${JSON.stringify(task)}{}`)).toMatch(/nothing beside it/);
  });

  test('may have the numbers of predictions in place of them', async () => {
    const task = { data: { text: '😀 Ann' }, predictions: [3, { result: [ann] }] };
    expect(await read('a.json', JSON.stringify([task]))).toMatchObject([
      { spans: [['NAME', 'Ann']] },
    ]);
  });

  const item = { note: '😀 Ann', id: 1, annotator: 1, annotation_id: 2, created_at: '2020' };
  test('is read from JSON_MIN, by whatever name its regions have', async () => {
    const items = [{ ...item, ner: [ann.value], choice: ['a'] }, item];
    expect(await read('a.json', JSON.stringify(items))).toEqual([
      { text: '😀 Ann', spans: [['NAME', 'Ann']] },
      { text: '😀 Ann', spans: [] },
    ]);
  });

  test.each([100, 2000, 100_000])(
    'is read from JSON_MIN with a note of %p letters',
    async (letters) => {
      const note = `${item.note} ${'x'.repeat(letters)}`;
      expect(await read('a.json', JSON.stringify([{ ...item, note, ner: [ann.value] }]))).toEqual([
        { text: note, spans: [['NAME', 'Ann']] },
      ]);
    },
  );

  test.each([
    ['a rectangle', { image: [{ x: 1, y: 2, rectanglelabels: [secret] }] }, /region 1/],
    ['a region without a label', { ner: [{ start: 2, end: 5 }] }, /region 1/],
    ['no list of labels', { ner: [{ start: 2, end: 5, labels: null }] }, /labels must be array/],
    ['several texts', { other: secret }, /does not say which of its values is the text/],
  ])('of JSON_MIN with %s is refused', async (_, change, problem) => {
    const message = await refusal('a.json', JSON.stringify([{ ...item, ...change }]));
    expect(message).toMatch(problem);
    expect(message).toMatch(/task 1/);
  });

  test('without annotations is one that nobody labelled', async () => {
    const path = files.write({ 'a.json': JSON.stringify([task({ annotations: [] })]) });
    await expect(readAll(path, { requireAnnotations: true })).rejects.toThrow(/no annotations/);
    expect(await readAll(path)).toHaveLength(1);
  });

  test.each([
    ['nobody annotated', []],
    ['its annotator passed over', [{ result: [], was_cancelled: true }]],
  ])('with predictions that %s is one that nobody labelled', async (_, annotations) => {
    const given = task({ annotations, predictions: [{ result: [ann] }] });
    const path = files.write({ 'a.json': JSON.stringify([given]) });
    await expect(readAll(path, { requireAnnotations: true })).rejects.toThrow(/no annotations/);
    expect((await readAll(path))[0]?.spans).toHaveLength(1);
  });

  test.each([
    [
      'two answers',
      task({ annotations: [{ result: [] }, { result: [ann] }] }),
      /task 1: \/annotations has several answers/,
    ],
    [
      'HTML',
      task({
        annotations: [{ result: [region({ start: '/p[1]' }, { type: 'hypertextlabels' })] }],
      }),
      /\/annotations\/0\/result\/0 marks something that is not read/,
    ],
    [
      'two labels on one region',
      task({ annotations: [{ result: [region({ start: 2, end: 5, labels: ['A', 'B'] })] }] }),
      /holds 2 labels; expected one/,
    ],
    [
      'no offsets',
      task({ annotations: [{ result: [region({ labels: ['A'] })] }] }),
      /result\/0\/value must have required property 'start'/,
    ],
    ['another text', task({ data: { text: secret } }), /differs from the text/],
    ['several texts', task({ data: { a: secret, b: secret } }), /\/data does not say which/],
    ['no data', { id: 1, note: secret }, /must have required property 'data'/],
  ])('with %s is refused at its place', async (_, given, message) => {
    expect(await refusal('a.json', JSON.stringify([given]))).toMatch(message);
  });
});

const biocXml = (body: string, head = '') =>
  `<?xml version='1.0' encoding='UTF-8'?>\n${head}<collection><source>s</source><date/><key>k</key>` +
  `<document><id>n1</id>${body}</document></collection>`;
const biocAnnotation = (offset: number, length: number, text: string) =>
  `<annotation id="1"><infon key="type">NAME</infon><location offset="${offset}" length="${length}"/><text>${text}</text></annotation>`;
const biocJson = (passages: unknown) =>
  JSON.stringify({
    source: 's',
    date: '',
    key: '',
    infons: {},
    documents: [{ id: 'n1', infons: {}, passages }],
  });
const jsonAnnotation = (offset: number, length: number, text: string) => ({
  ...{ id: '1', infons: { type: 'NAME' }, text, locations: [{ offset, length }] },
});

describe('BioC', () => {
  const two = { text: 'né 😀\nAnn', spans: [['NAME', 'Ann']] };

  test.each([
    ['code points', 5],
    ['UTF-16 units', 6],
    ['bytes', 9],
  ])('is read from XML and JSON with offsets in %s', async (_, offset) => {
    const xml = biocXml(
      `<passage><infon key="section">a</infon><offset>0</offset><text>né 😀</text></passage>` +
        `<passage><offset>${offset}</offset><text>Ann</text>${biocAnnotation(offset, 3, 'Ann')}</passage>`,
    );
    const json = biocJson([
      { offset: 0, infons: {}, text: 'né 😀', annotations: [] },
      { offset, infons: {}, text: 'Ann', annotations: [jsonAnnotation(offset, 3, 'Ann')] },
    ]);
    expect(await read('a.xml', xml)).toEqual([two]);
    expect(await read('a.json', json)).toEqual([two]);
  });

  test('keeps sentences that touch together, and takes offsets from the start of the collection', async () => {
    const xml = biocXml(
      '<passage><offset>27</offset><sentence><offset>27</offset><text>abc </text></sentence>' +
        `<sentence><offset>31</offset><text>Ann</text>${biocAnnotation(31, 3, 'Ann')}</sentence></passage>`,
    );
    expect(await read('a.xml', xml)).toEqual([{ text: 'abc Ann', spans: [['NAME', 'Ann']] }]);
  });

  test('passes over the declaration of its own DTD', async () => {
    const xml = biocXml(
      '<passage><offset>0</offset><text>Ann</text></passage>',
      '<!DOCTYPE collection SYSTEM "BioC.dtd">\n',
    );
    expect(await read('a.xml', xml)).toHaveLength(1);
  });

  test.each([
    [
      'entities of its own',
      biocXml(
        '<passage><offset>0</offset><text>&e;</text></passage>',
        `<!DOCTYPE collection [<!ENTITY e "${secret}">]>`,
      ),
      /declarations are refused/,
    ],
    [
      'an unknown entity',
      biocXml(`<passage><offset>0</offset><text>${secret}&e;</text></passage>`),
      /not well-formed/,
    ],
    ['elements without end', biocXml('<a>'.repeat(300)), /lie deeper than 256/],
    [
      'another text at its place',
      biocXml(
        `<passage><offset>0</offset><text>${secret}</text>${biocAnnotation(1, 3, 'Ann')}</passage>`,
      ),
      /line 2: the annotation stands at 1 with 3 characters/,
    ],
    [
      'a passage without offset',
      biocXml(`<passage><text>${secret}</text></passage>`),
      /a passage has no offset/,
    ],
    [
      'a location without offset',
      biocXml(
        '<passage><offset>0</offset><text>Ann</text><annotation id="1"><location length="1"/></annotation></passage>',
      ),
      /a location wants/,
    ],
  ])('in XML with %s is refused', async (_, xml, message) => {
    expect(await refusal('a.xml', xml)).toMatch(message);
  });

  test.each([
    [
      'no type',
      [
        {
          offset: 0,
          text: secret,
          annotations: [{ infons: {}, locations: [{ offset: 0, length: 3 }] }],
        },
      ],
      /\/passages\/0\/annotations\/0: the annotation has no infon "type"/,
    ],
    [
      'no location',
      [{ offset: 0, text: secret, annotations: [{ infons: { type: 'A' } }] }],
      /has no location/,
    ],
    [
      'an offset that is no number',
      [{ offset: '0', text: secret }],
      /\/documents\/0\/passages\/0\/offset must be integer/,
    ],
  ])('in JSON with %s is refused', async (_, passages, message) => {
    expect(await refusal('a.json', biocJson(passages))).toMatch(message);
  });

  test('gives the documents behind a bad one when asked to', async () => {
    const bad = `<document><id>n0</id><passage><offset>0</offset><text>x</text>${biocAnnotation(5, 1, 'y')}</passage></document>`;
    const xml = biocXml('<passage><offset>0</offset><text>Ann</text></passage>').replace(
      '<document>',
      `${bad}<document>`,
    );
    const documents = await readAll(files.write({ 'a.xml': xml }), { skipBad: true });
    expect(documents.map(({ id }) => id)).toEqual(['n1']);
  });
});

const entity = 'de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity';
const sofa = {
  '%ID': 1,
  '%TYPE': 'uima.cas.Sofa',
  sofaNum: 1,
  sofaID: '_InitialView',
  sofaString: '😀 Ann',
};
const structure = (type: string, change: object = {}) => ({
  ...{ '%ID': 2, '%TYPE': type, '@sofa': 1, begin: 3, end: 6 },
  ...change,
});
const cas = (structures: unknown, types: object = {}) =>
  JSON.stringify({ '%TYPES': types, '%FEATURE_STRUCTURES': structures, '%VIEWS': {} });
const xmi = (body: string, text = '😀 Ann&#13;&#10;') =>
  '<?xml version="1.0" encoding="UTF-8"?><xmi:XMI xmlns:cas="http:///uima/cas.ecore" ' +
  'xmlns:xmi="http://www.omg.org/XMI" xmlns:type3="http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore" ' +
  'xmlns:custom="http:///webanno/custom.ecore" xmi:version="2.0"><cas:NULL xmi:id="0"/>' +
  `${body}<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="${text}"/></xmi:XMI>`;

describe('INCEpTION', () => {
  test.each([
    ['its own layer', [sofa, structure(entity, { value: 'NAME', identifier: 'x' })], {}],
    ['a custom layer', [sofa, structure('webanno.custom.Phi', { kind: 'NAME' })], {}],
    [
      'feature structures by id',
      { 1: { ...sofa, '%ID': undefined }, 2: structure(entity, { value: 'NAME' }) },
      {},
    ],
    [
      'a type system that says which feature it is',
      [sofa, structure('custom.Span', { value: 'NAME', note: 'x' })],
      {
        'custom.Span': {
          '%NAME': 'custom.Span',
          value: { '%RANGE': 'uima.cas.String' },
          note: { '%RANGE': 'uima.cas.String' },
        },
      },
    ],
  ])('is read from CAS JSON with %s, in UTF-16 units', async (_, structures, types) => {
    expect(await read('a.json', cas(structures, types))).toEqual([
      { text: '😀 Ann', spans: [['NAME', 'Ann']] },
    ]);
  });

  test.each([
    ['a.json', cas([sofa, structure(entity, { value: 'NAME' }), structure(entity, { end: 3 })])],
    [
      'a.xmi',
      xmi(
        '<type3:NamedEntity xmi:id="2" sofa="1" begin="3" end="6" value="NAME"/>' +
          '<type3:NamedEntity xmi:id="3" sofa="1" begin="3" end="3" value="NAME"/>',
      ),
    ],
    [
      'a.tsv',
      '#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.A|value\n\n\n#Text=😀 Ann\n' +
        '1-1\t0-2\t😀\t_\t\n1-2\t3-6\tAnn\tNAME\t\n1-2.1\t3-3\t\tNAME\t\n',
    ],
  ])('marks between two characters mark nothing: %s', async (name, content) => {
    const [document] = await read(name, content);
    expect(document?.spans).toEqual([['NAME', 'Ann']]);
  });

  test('marks by a layer without features get the layer’s name', async () => {
    const [document] = await read('a.json', cas([sofa, structure('webanno.custom.Phi')]));
    expect(document?.spans).toEqual([['Phi', 'Ann']]);
  });

  test('is read from CAS XMI, line breaks as they are, beside its type system', async () => {
    const content = xmi('<type3:NamedEntity xmi:id="2" sofa="1" begin="3" end="6" value="NAME"/>');
    const types =
      '<?xml version="1.0"?>\n<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"/>';
    const documents = await readAll(files.write({ 'a.xmi': content, 'TypeSystem.xml': types }));
    expect(documents).toEqual([
      { id: 'a', text: '😀 Ann\r\n', spans: [{ type: 'NAME', start: 3, end: 6 }] },
    ]);
  });

  test.each([
    ['a.json', 'no text', cas([structure(entity)]), /there is no text to read/],
    [
      'a.json',
      'several features',
      cas([sofa, structure('custom.A', { a: secret, b: 'x' })]),
      /STRUCTURES\/1: the layer has several features/,
    ],
    [
      'a.json',
      'offsets behind the text',
      cas([sofa, structure(entity, { end: 99 })]),
      /outside the text/,
    ],
    [
      'a.json',
      'half a character',
      cas([sofa, structure(entity, { begin: 1 })]),
      /outside the text/,
    ],
    [
      'a.xmi',
      'offsets that are no numbers',
      xmi('<type3:NamedEntity sofa="1" begin="a" end="b"/>'),
      /expected integers/,
    ],
    ['a.xmi', 'another root', '<?xml version="1.0"?><a/>', /expected an element "xmi:XMI"/],
    [
      'a.tsv',
      'a row that is none',
      `#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.A|value\n\n\n#Text=${secret}\n${secret}`,
      /a\.tsv:6: expected "1-1/,
    ],
    [
      'a.tsv',
      'sentences in disorder',
      '#FORMAT=WebAnno TSV 3.3\n\n\n#Text=abc\n1-1\t0-3\tabc\t\n\n#Text=d\n2-1\t1-2\td\t\n',
      /does not begin behind/,
    ],
    [
      'a.tsv',
      'offsets that are not those of the token',
      `#FORMAT=WebAnno TSV 3.3\n\n\n#Text=😀 ${secret}\n1-1\t2-${2 + secret.length}\t${secret}\t\n`,
      /a\.tsv:5: the token differs from the text/,
    ],
    [
      'a.tsv',
      'an end between a text and its tokens',
      `#FORMAT=WebAnno TSV 3.3\n\n\n#Text=abc\n1-1\t0-3\tabc\t\n\n#Text=${secret}\n`,
      /a\.tsv:8: the text of a sentence has no tokens/,
    ],
    [
      'a.json',
      'an unknown way to count',
      JSON.stringify({ '%HEADER': { 'offset-encoding': secret }, ...JSON.parse(cas([sofa])) }),
      /offset-encoding must be equal to one of/,
    ],
    [
      'a.json',
      'offsets within a character, as its header counts',
      JSON.stringify({
        '%HEADER': { 'offset-encoding': 'UTF-8' },
        ...JSON.parse(cas([sofa, structure(entity, { begin: 1 })])),
      }),
      /expected offsets between two characters/,
    ],
    [
      'a.tsv',
      'several features',
      '#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.A|a|b\n\n',
      /a\.tsv:2: the layer has several/,
    ],
  ])('in %s with %s is refused', async (name, _, content, message) => {
    expect(await refusal(name, content)).toMatch(message);
  });

  test('is read from WebAnno TSV: stacked, of many tokens, of parts, across sentences, escaped', async () => {
    const tsv = [
      '#FORMAT=WebAnno TSV 3.3',
      '#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue',
      `#T_SP=${entity}|identifier|value`,
      '#T_SP=webanno.custom.Mark',
      '#T_RL=webanno.custom.Relation|BT_webanno.custom.Span',
      '',
      '',
      '#Sentence.id=1',
      '#Text=😀 Ann\\tLee',
      '#Text=x',
      '1-1\t0-2\t😀\tNN\t_\t_\t*\t_\t',
      '1-2\t3-6\tAnn\tNN\t*[1]\tA\\_B[1]\t_\t1-1\t',
      '1-3\t7-10\tLee\t_\t*[1]\tA\\_B[1]\t_\t_\t',
      '1-4\t11-12\tx\t_\t_\t_\t_\t_\t',
      '',
      '#Text=bcd e',
      '2-1\t15-18\tbcd\t_\t_\t_\t*[2]\t_\t',
      '2-1.1\t16-17\tc\t_\t*\tC\t_\t_\t',
      '2-2\t19-20\te\t_\t_\t_\t_\t_\t',
      '',
    ].join('\n');
    const documents = await readAll(files.write({ 'a.tsv': tsv }), { overlaps: 'keep' });
    const [{ text, spans } = { text: '', spans: [] }] = documents;
    expect(text).toBe('😀 Ann\tLee\nx\n  bcd e');
    expect(spans.map(({ type, start, end }) => [type, text.slice(start, end)])).toEqual([
      ['Mark', '😀'],
      ['A_B', 'Ann\tLee'],
      ['Mark', 'bcd'],
      ['C', 'c'],
    ]);
  });
});
