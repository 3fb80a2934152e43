import type { Document } from '../document.js';
import { splitSentences } from '../sentence-splitter.js';
import { tokenise } from '../tokeniser.js';
import { NAMED_ENTITY } from './annotation-layers.js';
import { xmlAttribute } from './xml-text.js';

const SEGMENTATION = 'de.tudarmstadt.ukp.dkpro.core.api.segmentation.type';
const SOFA_ID = 1;

/** An annotation of the CAS that a document becomes; offsets in UTF-16 units. */
interface Placed {
  readonly layer: string;
  readonly begin: number;
  readonly end: number;
  readonly value?: string;
}

/** INCEpTION wants sentences and tokens: it shows and moves by them. */
function annotationsOf({ text, spans }: Document): Placed[] {
  const tokens = tokenise(text);
  const sentences = splitSentences(text, tokens).map((sentence) => ({
    layer: `${SEGMENTATION}.Sentence`,
    begin: sentence[0]?.start ?? 0,
    end: sentence.at(-1)?.end ?? 0,
  }));
  return [
    { layer: 'uima.tcas.DocumentAnnotation', begin: 0, end: text.length },
    ...sentences,
    ...tokens.map(({ start, end }) => ({ layer: `${SEGMENTATION}.Token`, begin: start, end })),
    ...spans.map(({ type, start, end }) => ({
      ...{ layer: NAMED_ENTITY, begin: start, end, value: type },
    })),
  ];
}

/** The types that are written, as the JSON form has a type system. */
const TYPES = {
  [`${SEGMENTATION}.Sentence`]: typeOf(`${SEGMENTATION}.Sentence`),
  [`${SEGMENTATION}.Token`]: typeOf(`${SEGMENTATION}.Token`),
  [NAMED_ENTITY]: typeOf(NAMED_ENTITY, 'value'),
};

function typeOf(name: string, feature?: string) {
  const features = feature && {
    [feature]: { '%NAME': feature, '%RANGE': 'uima.cas.String' },
  };
  return { '%NAME': name, '%SUPER_TYPE': 'uima.tcas.Annotation', ...features };
}

/** A document as UIMA CAS JSON 0.4.0, its spans as named entities, its type system within. */
export function formatCasJson(document: Document): string {
  const annotations = annotationsOf(document).map(({ layer, begin, end, value }, index) => ({
    ...{ '%ID': SOFA_ID + 1 + index, '%TYPE': layer, '@sofa': SOFA_ID, begin, end },
    ...(value === undefined ? {} : { value }),
  }));
  const sofa = {
    ...{ '%ID': SOFA_ID, '%TYPE': 'uima.cas.Sofa', sofaNum: 1, sofaID: '_InitialView' },
    ...{ mimeType: 'text', sofaString: document.text },
  };
  const members = annotations.map((annotation) => annotation['%ID']);
  const cas = {
    '%TYPES': TYPES,
    '%FEATURE_STRUCTURES': [sofa, ...annotations],
    '%VIEWS': { _InitialView: { '%SOFA': SOFA_ID, '%MEMBERS': members } },
  };
  return `${JSON.stringify(cas)}\n`;
}

const PREFIXES: Readonly<Record<string, string>> = {
  'uima.tcas': 'tcas',
  [SEGMENTATION]: 'segmentation',
  'de.tudarmstadt.ukp.dkpro.core.api.ner.type': 'ner',
};

/** A document as UIMA CAS XMI 2.0, its spans as named entities. Throws `corpus-invalid`. */
export function formatCasXmi(document: Document): string {
  const annotations = annotationsOf(document).map(({ layer, begin, end, value }, index) => {
    const at = layer.lastIndexOf('.');
    const name = `${PREFIXES[layer.slice(0, at)]}:${layer.slice(at + 1)}`;
    const label = value === undefined ? '' : ` value="${xmlAttribute(value)}"`;
    const id = SOFA_ID + 1 + index;
    return `<${name} xmi:id="${id}" sofa="${SOFA_ID}" begin="${begin}" end="${end}"${label}/>\n`;
  });
  const namespaces = Object.entries(PREFIXES).map(
    ([layers, prefix]) => ` xmlns:${prefix}="http:///${layers.replaceAll('.', '/')}.ecore"`,
  );
  const members = annotations.map((_, index) => SOFA_ID + 1 + index).join(' ');
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"' +
    `${namespaces.join('')} xmi:version="2.0">\n<cas:NULL xmi:id="0"/>\n${annotations.join('')}` +
    `<cas:Sofa xmi:id="${SOFA_ID}" sofaNum="1" sofaID="_InitialView" mimeType="text" ` +
    `sofaString="${xmlAttribute(document.text)}"/>\n` +
    `<cas:View sofa="${SOFA_ID}" members="${members}"/>\n</xmi:XMI>\n`
  );
}

/** The file beside XMI that holds its types, by the name that INCEpTION asks for. */
export const TYPE_SYSTEM_FILE = 'TypeSystem.xml';

/** The type system of all XMI that is written. */
export const TYPE_SYSTEM = typeSystem();

function typeSystem(): string {
  const types = Object.values(TYPES).map((type) => {
    const features =
      'value' in type
        ? '<features><featureDescription><name>value</name><description/>' +
          '<rangeTypeName>uima.cas.String</rangeTypeName></featureDescription></features>'
        : '';
    return (
      `<typeDescription><name>${type['%NAME']}</name><description/>` +
      `<supertypeName>${type['%SUPER_TYPE']}</supertypeName>${features}</typeDescription>\n`
    );
  });
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier">\n<types>\n' +
    `${types.join('')}</types>\n</typeSystemDescription>\n`
  );
}
