import type { LayeredFile } from '../../../../../models/text/corpus/layers/layered-file.js';
import {
  type LayeredFormat,
  readLayers,
} from '../../../../../models/text/corpus/layers/read-layers.js';
import { TextChange } from '../../../../../models/text/corpus/layers/text-change.js';

export const TEXT = '😀 Ann Lee saw Bob. Fever since May.';
export const PHI = ['Ann Lee', 'Bob', 'May'];
export const SECRET = 'Ann Lee';

const at = (word: string, text = TEXT) => {
  const start = [...text.slice(0, text.indexOf(word))].length;
  return { start, end: start + [...word].length };
};
export const utf16 = (word: string) => {
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

export const task = {
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
export const minItem = {
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

export const cas = {
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

export const FILES: Readonly<Record<LayeredFormat, string>> = {
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
export function changed(format: LayeredFormat, content: string, instead?: string): LayeredFile {
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
