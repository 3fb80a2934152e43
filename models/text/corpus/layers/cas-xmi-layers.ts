import { TacetError } from '../../../../proto/errors.js';
import { NAMED_ENTITY } from '../annotation-layers.js';
import { layerOf, packageOf, parseCasXmi } from '../cas-xmi.js';
import { checkedDocument } from '../raw-document.js';
import { requireXmlCharacters, xmlAttribute } from '../xml-text.js';
import { type Insertion, parseXmlTree, withInsertions, type XmlElement } from '../xml-tree.js';
import { isTagFeature } from './cas-tags.js';
import { type Fields, INITIAL_VIEW, isName, Removals } from './closed-structure.js';
import { largestNumber } from './largest-number.js';
import type { LayeredDocument, LayeredFile, LayerTreatment } from './layered-file.js';
import type { TextChange } from './text-change.js';

const SOFA = 'uima.cas.Sofa';
const VIEW = 'uima.cas.View';
const NER_NAMESPACE = 'http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore';
/** Namespaces that are not those of types. */
const FRAME: Readonly<Record<string, string>> = {
  'xmlns:xmi': 'http://www.omg.org/XMI',
  'xmlns:cas': 'http:///uima/cas.ecore',
};
/** Features of DKPro's own layers that point at other structures. */
const REFERENCES = new Set([
  ...['Governor', 'Dependent', 'pos', 'lemma', 'stem', 'morph', 'parent', 'children'],
]);
const NUMBERS = /^\d{1,10}( \d{1,10})*$/;

/** A document of UIMA CAS XMI with all its layers. Throws `corpus-invalid`. */
export function casXmiLayers(
  content: string,
  origin: string,
  treatment: LayerTreatment,
): LayeredFile {
  const document = new CasXmiDocument(content, origin, treatment);
  return {
    documents: [document],
    get removed() {
      return document.removals.count;
    },
    format: () => document.content,
  };
}

class CasXmiDocument implements LayeredDocument {
  readonly text: string;
  readonly removals = new Removals();
  readonly #root: XmlElement;
  readonly #packages = new Map<string, string>();
  readonly #ids: ReadonlySet<string>;

  constructor(
    public content: string,
    private readonly origin: string,
    private readonly treatment: LayerTreatment,
  ) {
    this.text = checkedDocument(parseCasXmi(content, '', origin), { overlaps: 'keep' }).text;
    this.#root = parseXmlTree(content, origin);
    for (const [name, value] of Object.entries(this.#root.attributes)) {
      const prefix = /^xmlns:(.+)$/.exec(name)?.[1];
      if (prefix !== undefined) this.#packages.set(prefix, packageOf(value));
    }
    this.#ids = new Set(this.#root.children.map((each) => each.attributes['xmi:id'] ?? ''));
  }

  change(change: TextChange): void {
    const isKept = this.treatment === 'annotate';
    const sofas = this.#root.children.filter((each) => this.#typeOf(each) === SOFA);
    const sofa = sofas.find(({ attributes }) => attributes.sofaString === this.text);
    if (!sofa)
      throw new TacetError('internal', `${this.origin}: a text was read that no sofa holds`);
    if (!isKept && sofas.length > 1)
      throw new TacetError(
        'corpus-invalid',
        `${this.origin}: there are several texts, of which one would stay as it is; expected one sofa`,
      );
    const prefix = this.#entityPrefix();
    const found = this.#found(change, prefix ?? 'tacet', sofa.attributes['xmi:id'] ?? '');
    this.content = isKept
      ? this.#withFound(found, prefix, sofa)
      : this.#anew(found, prefix, sofa, change);
  }

  #typeOf({ name }: XmlElement): string {
    return layerOf(name, this.#packages);
  }

  /** The prefix of the package of named entities, where there is one. */
  #entityPrefix(): string | undefined {
    const own = packageOf(NER_NAMESPACE);
    return [...this.#packages].find(([, name]) => name === own)?.[0];
  }

  #found(change: TextChange, prefix: string, sofa: string): { id: string; text: string }[] {
    let next = largestNumber([...this.#ids].map(Number).filter(Number.isSafeInteger), 0);
    const name = NAMED_ENTITY.slice(NAMED_ENTITY.lastIndexOf('.') + 1);
    return change.spans.map(({ type, start, end }) => {
      const id = `${++next}`;
      const attributes = { 'xmi:id': id, sofa, begin: `${start}`, end: `${end}`, value: type };
      return { id, text: elementText(`${prefix}:${name}`, attributes) };
    });
  }

  /** The file's own, with entities before the text and among the members of its view. */
  #withFound(
    found: readonly { id: string; text: string }[],
    prefix: string | undefined,
    sofa: XmlElement,
  ): string {
    if (found.length === 0) return this.content;
    const insertions: Insertion[] = [
      { at: sofa.start, text: found.map(({ text }) => `${text}\n`).join('') },
    ];
    if (prefix === undefined) {
      const { start, name } = this.#root;
      const declared = ` xmlns:tacet="${NER_NAMESPACE}"`;
      insertions.push({ at: start + 1 + name.length, text: declared });
    }
    for (const view of this.#root.children) {
      const { members = '', sofa: of } = view.attributes;
      if (this.#typeOf(view) !== VIEW || of !== sofa.attributes['xmi:id']) continue;
      const all = [members, ...found.map(({ id }) => id)].filter((each) => each !== '').join(' ');
      const text = elementText(view.name, { ...view.attributes, members: all });
      insertions.push({ at: view.start, instead: view.end - view.start, text });
    }
    return withInsertions(this.content, insertions);
  }

  #anew(
    found: readonly { id: string; text: string }[],
    prefix: string | undefined,
    sofa: XmlElement,
    change: TextChange,
  ): string {
    requireXmlCharacters(change.after, this.origin);
    const ids = found.map(({ id }) => id);
    const { attributes, children } = this.#root;
    const named = children.filter(({ name }) => isName(name));
    this.removals.count += children.length - named.length;
    const elements = named.map((each) => elementText(...this.#moved(each, sofa, ids, change)));
    const namespaces = Object.entries(attributes).filter(([name, value]) =>
      Object.hasOwn(FRAME, name)
        ? value === FRAME[name]
        : /^xmlns:[\w.-]{1,64}$/.test(name) && /^http:\/\/\/[\w./-]{1,200}\.ecore$/.test(value),
    );
    const kept = {
      ...FRAME,
      ...Object.fromEntries(namespaces),
      ...(prefix === undefined && found.length > 0 && { 'xmlns:tacet': NER_NAMESPACE }),
      'xmi:version': '2.0',
    };
    this.removals.keep(attributes, kept);
    const all = [...elements, ...found.map(({ text }) => text)];
    return (
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
      `${elementText('xmi:XMI', kept, `\n${all.join('\n')}\n`)}\n`
    );
  }

  /** An element with its place in the changed text, its references, and strings of tag sets alone. */
  #moved(
    element: XmlElement,
    sofa: XmlElement,
    found: readonly string[],
    change: TextChange,
  ): [name: string, attributes: Readonly<Record<string, string>>] {
    const { name, attributes, children } = element;
    const type = this.#typeOf(element);
    const isOfText = attributes.sofa === sofa.attributes['xmi:id'];
    const isPlace = (value = '') => /^\d{1,10}$/.test(value) && Number(value) <= this.text.length;
    const kept: Record<string, string> = {};
    for (const [feature, value] of Object.entries(attributes))
      if (this.#isKept(type, feature, value)) kept[feature] = value;
    if (element === sofa) {
      if (attributes.mimeType !== undefined) kept.mimeType = 'text/plain';
      if (attributes.sofaID !== undefined) kept.sofaID ??= INITIAL_VIEW;
      kept.sofaString = change.after;
    } else if (type === VIEW && isOfText)
      kept.members = [kept.members ?? '', ...found].filter((each) => each !== '').join(' ');
    else if (isOfText && isPlace(attributes.begin) && isPlace(attributes.end)) {
      kept.begin = `${change.moved(Number(attributes.begin), 'start')}`;
      // A mark between two characters stays one, lest it take in what stands for the word around it.
      const edge = Number(attributes.end) === Number(attributes.begin) ? 'start' : 'end';
      kept.end = `${change.moved(Number(attributes.end), edge)}`;
    }
    const within: Fields = Object.fromEntries(children.map((child, i) => [`<${i}>`, child.name]));
    this.removals.keep({ ...attributes, ...within, '<text>': element.text.trim() }, kept);
    return [name, kept];
  }

  /** Numbers of structures, and tags; a number elsewhere may be one of a patient. */
  #isKept(type: string, feature: string, value: string): boolean {
    if (feature === 'xmi:id' || feature === 'sofa' || feature === 'sofaNum')
      return /^\d{1,10}$/.test(value);
    if (feature === 'sofaID') return isName(value);
    const isReference =
      (type === VIEW && feature === 'members') ||
      (type.startsWith('de.tudarmstadt.ukp.dkpro.core.') && REFERENCES.has(feature));
    if (isReference)
      return NUMBERS.test(value) && value.split(' ').every((id) => this.#ids.has(id));
    return isName(value) && isTagFeature(type, feature);
  }
}

function elementText(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content = '',
): string {
  const own = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlAttribute(value)}"`);
  return content === ''
    ? `<${name}${own.join('')}/>`
    : `<${name}${own.join('')}>${content}</${name}>`;
}
