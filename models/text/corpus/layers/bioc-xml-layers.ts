import { TacetError } from '../../../../proto/errors.js';
import { type JsonDocument, parseBiocFile } from '../bioc-json.js';
import { xmlAttribute, xmlCharacterData } from '../xml-text.js';
import { type Insertion, parseXmlTree, withInsertions, type XmlElement } from '../xml-tree.js';
import { BiocLayers } from './bioc-layers.js';
import { type Fields, fieldsIn, Removals } from './closed-structure.js';
import type { LayeredFile, LayerTreatment } from './layered-file.js';

interface Placed {
  readonly element: XmlElement;
  readonly json: JsonDocument;
  readonly layers: BiocLayers;
}

/**
 * A BioC collection in XML, with whatever else it holds: the file's own with what was found put into it, or built
 * anew. Throws `corpus-invalid`.
 */
export function biocXmlLayers(
  content: string,
  origin: string,
  treatment: LayerTreatment,
): LayeredFile {
  const removals = new Removals();
  const root = parseXmlTree(content, origin, { allowDoctype: true });
  if (root.name !== 'collection')
    throw new TacetError('corpus-invalid', `${origin}: expected a BioC collection at the root`);
  const elements = root.children.filter(({ name }) => name === 'document');
  const own = fieldsOf(root);
  const file = parseBiocFile(JSON.stringify({ ...own, documents: elements.map(unitOf) }), origin);
  const { documents: read } = file as { documents: readonly JsonDocument[] };
  const documents: Placed[] = read.map((json, index) => ({
    ...{ element: elements[index] as XmlElement, json },
    layers: new BiocLayers(json, `${origin}: /documents/${index}`, treatment, removals),
  }));
  let result: string | undefined;
  const written = () => {
    if (treatment === 'annotate') return withInsertions(content, documents.flatMap(insertionsOf));
    removals.keep(own, { documents: [] });
    const all = documents.map(({ layers }) => documentText(layers.value));
    return (
      '<?xml version="1.0" encoding="UTF-8"?>\n<collection>\n<source></source>\n<date></date>\n' +
      `<key></key>\n${all.join('\n')}\n</collection>\n`
    );
  };
  return {
    documents: documents.map(({ layers }) => layers),
    get removed() {
      result ??= written();
      return removals.count;
    },
    format: () => {
      result ??= written();
      return result;
    },
  };
}

/** Elements of BioC.dtd that stand in another one at most once, as text. */
const TEXTS = ['source', 'date', 'key', 'id', 'offset', 'text'];
const LISTS: Readonly<Record<string, string>> = {
  ...{ passage: 'passages', sentence: 'sentences', annotation: 'annotations' },
  ...{ relation: 'relations', location: 'locations', node: 'nodes' },
};
const NUMBERS = new Set(['offset', 'length']);

/** An element with those in it, as the JSON form has them. */
function unitOf(element: XmlElement): Fields {
  const fields: Record<string, unknown> = fieldsOf(element);
  if (element.name === 'document') fields.passages ??= [];
  if (['passage', 'sentence'].includes(element.name)) fields.infons ??= {};
  for (const child of element.children) {
    const list = LISTS[child.name];
    if (list) fields[list] = [...fieldsIn(fields[list]), unitOf(child)];
  }
  return fields;
}

/** Attributes, infons and texts of an element, and by the names of their tags elements that BioC does not know. */
function fieldsOf({ attributes, children }: XmlElement): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) fields[name] = numberOr(name, value);
  const infons = children.filter(({ name }) => name === 'infon');
  if (infons.length > 0)
    fields.infons = Object.fromEntries(
      infons.map(({ attributes: { key = '' }, text }) => [key, text.trim()]),
    );
  for (const { name, text } of children) {
    if (TEXTS.includes(name)) fields[name] = name === 'text' ? text : numberOr(name, text.trim());
    else if (name !== 'infon' && name !== 'document' && !LISTS[name]) fields[`<${name}>`] = true;
  }
  return fields;
}

/** A number where one belongs; what is none stays as it is, and is refused. */
function numberOr(name: string, value: string): string | number {
  return NUMBERS.has(name) && /^\d{1,10}$/.test(value) ? Number(value) : value;
}

/** What was found, behind the annotations of the passages and sentences in which it begins. */
function insertionsOf({ element, json, layers }: Placed): Insertion[] {
  const within = (unit: XmlElement, before: Fields, after: Fields): Insertion[] => {
    const added = fieldsIn(after.annotations).slice(fieldsIn(before.annotations).length);
    const last = unit.children
      .filter(({ name }) => name === 'annotation' || name === 'text')
      .at(-1);
    const sentences = unit.children.filter(({ name }) => name === 'sentence');
    return [
      ...(last && added.length > 0
        ? [{ at: last.end, text: added.map((each) => annotationText(each)).join('') }]
        : []),
      ...sentences.flatMap((sentence, index) =>
        within(
          sentence,
          fieldsIn(before.sentences)[index] ?? {},
          fieldsIn(after.sentences)[index] ?? {},
        ),
      ),
    ];
  };
  const passages = element.children.filter(({ name }) => name === 'passage');
  const [before, after] = [json as unknown as Fields, layers.value].map(({ passages: own }) =>
    fieldsIn(own),
  ) as [Fields[], Fields[]];
  return passages.flatMap((passage, index) =>
    within(passage, before[index] ?? {}, after[index] ?? {}),
  );
}

function documentText(document: Fields): string {
  const id = xmlCharacterData(String(document.id ?? ''));
  return (
    `<document>\n<id>${id}</id>\n${infonsText(document)}` +
    `${unitsText('passage', document.passages)}${restText(document)}</document>`
  );
}

function unitsText(name: string, units: unknown): string {
  const all = fieldsIn(units).map((unit) => {
    const text =
      typeof unit.text === 'string' ? `<text>${xmlCharacterData(unit.text)}</text>\n` : '';
    return (
      `<${name}>\n${infonsText(unit)}<offset>${Number(unit.offset)}</offset>\n${text}` +
      `${unitsText('sentence', unit.sentences)}${restText(unit)}</${name}>\n`
    );
  });
  return all.join('');
}

/** Annotations and relations. */
function restText(unit: Fields): string {
  const annotations = fieldsIn(unit.annotations).map((each) => annotationText(each));
  const relations = fieldsIn(unit.relations).map((relation) => {
    const nodes = fieldsIn(relation.nodes).map(
      ({ refid = '', role = '' }) =>
        `<node refid="${xmlAttribute(String(refid))}" role="${xmlAttribute(String(role))}"/>`,
    );
    return `<relation${idText(relation)}>${infonsText(relation)}${nodes.join('')}</relation>\n`;
  });
  return [...annotations, ...relations].join('');
}

function annotationText(annotation: Fields): string {
  const locations = fieldsIn(annotation.locations).map(
    ({ offset, length }) => `<location offset="${Number(offset)}" length="${Number(length)}"/>`,
  );
  const { text } = annotation;
  return (
    `\n<annotation${idText(annotation)}>${infonsText(annotation)}${locations.join('')}` +
    `${typeof text === 'string' ? `<text>${xmlCharacterData(text)}</text>` : ''}</annotation>`
  );
}

function idText({ id }: Fields): string {
  return id === undefined ? '' : ` id="${xmlAttribute(String(id))}"`;
}

function infonsText({ infons }: Fields): string {
  return Object.entries((infons ?? {}) as Fields)
    .map(
      ([key, value]) =>
        `<infon key="${xmlAttribute(key)}">${xmlCharacterData(String(value))}</infon>\n`,
    )
    .join('');
}
