import { expect, test } from '@jest/globals';
import { readLayers } from '../../../../../models/text/corpus/layers/read-layers.js';
import { cas, changed, FILES, PHI, SECRET, TEXT, utf16 } from './layered-files.js';

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

test('structures of a CAS that lie in an object keep their keys as ids', () => {
  const own = cas['%FEATURE_STRUCTURES'].map(({ '%ID': id, ...each }) => [id, each] as const);
  const second = own[1]?.[1] as object;
  const structures = { ...Object.fromEntries(own), 2: { ...second, '%ID': 3 } };
  const content = JSON.stringify({ ...cas, '%FEATURE_STRUCTURES': structures });
  const written = JSON.parse(changed('cas-json', content).format())['%FEATURE_STRUCTURES'];
  expect(written).toEqual(expect.objectContaining(Object.fromEntries(own)));
});

test('numbers that XMI holds as strings stay where they are places or references alone', () => {
  const after = changed('xmi', FILES.xmi, 'X').format();
  expect(after).toContain('pos="2"');
  expect(after).toContain('members="2 3 5 6 10 11 12"');
  expect(after).not.toContain('2071');
  expect(after).not.toContain('documentId');
  const back = readLayers(after, 'xmi', 'notes', 'annotate').documents[0]?.text;
  expect(back).toBe('😀 X saw X. Fever since X.');
});
