import { TacetError } from '../../../../proto/errors.js';
import { NAMED_ENTITY } from '../annotation-layers.js';
import { type CasFile, type FeatureStructure, parseCasFile, parseCasJson } from '../cas-json.js';
import { checkedDocument } from '../raw-document.js';
import { isTagFeature } from './cas-tags.js';
import { type Fields, isName, isObject, Removals } from './closed-structure.js';
import type { LayeredDocument, LayeredFile, LayerTreatment } from './layered-file.js';
import type { TextChange } from './text-change.js';

const SOFA = 'uima.cas.Sofa';
/** With its packages longer than a label, and still no text. */
const TYPE_NAME = /^[\p{L}\p{N}_.:[\]-]{1,256}$/u;
/** A document of UIMA CAS JSON with all its layers. Throws `corpus-invalid`. */
export function casJsonLayers(
  content: string,
  origin: string,
  treatment: LayerTreatment,
): LayeredFile {
  const document = new CasJsonDocument(content, origin, treatment);
  return {
    documents: [document],
    get removed() {
      return document.removals.count;
    },
    format: () => document.format(),
  };
}

class CasJsonDocument implements LayeredDocument {
  readonly text: string;
  readonly removals = new Removals();
  #file: CasFile;

  constructor(
    content: string,
    private readonly origin: string,
    private readonly treatment: LayerTreatment,
  ) {
    this.text = checkedDocument(parseCasJson(content, '', origin), { overlaps: 'keep' }).text;
    this.#file = parseCasFile(content, origin);
  }

  change(change: TextChange): void {
    const isKept = this.treatment === 'annotate';
    const structures = this.#structures();
    const sofas = structures.filter((each) => each['%TYPE'] === SOFA);
    const sofa = sofas.find(({ sofaString }) => sofaString === this.text) as FeatureStructure;
    if (!isKept && sofas.length > 1)
      throw new TacetError(
        'corpus-invalid',
        `${this.origin}: there are several texts, of which one would stay as it is; expected one sofa`,
      );
    const kept = isKept ? structures : structures.map((each) => this.#moved(each, sofa, change));
    const ids = structures.map((each) => Number(each['%ID'])).filter(Number.isSafeInteger);
    let next = Math.max(0, ...ids);
    const found = change.spans.map(({ type, start, end }) => ({
      ...{
        '%ID': ++next,
        '%TYPE': NAMED_ENTITY,
        '@sofa': sofa['%ID'],
        begin: start,
        end,
        value: type,
      },
    }));
    const { '%TYPES': types, '%VIEWS': views, ...others } = this.#file as unknown as Fields;
    const header = isKept ? others : this.#header(others);
    const isList = Array.isArray(this.#file['%FEATURE_STRUCTURES']);
    const all = [...kept, ...found] as FeatureStructure[];
    this.#file = {
      ...header,
      '%TYPES': withNamedEntity(isKept ? ((types ?? {}) as Fields) : this.#types(types)),
      '%FEATURE_STRUCTURES': isList
        ? all
        : Object.fromEntries(all.map((each) => [String(each['%ID']), each])),
      '%VIEWS': withMembers(
        isKept ? ((views ?? {}) as Fields) : this.#views(views, sofa),
        String(sofa.sofaID),
        sofa['%ID'],
        found.map((each) => each['%ID']),
      ),
    } as CasFile;
  }

  format(): string {
    return `${JSON.stringify(this.#file)}\n`;
  }

  #structures(): FeatureStructure[] {
    const all = this.#file['%FEATURE_STRUCTURES'];
    if (Array.isArray(all)) return all as FeatureStructure[];
    return Object.entries(all).map(
      ([key, own]) => ({ '%ID': Number(key) || key, ...own }) as FeatureStructure,
    );
  }

  /** A structure with its place in the changed text, its numbers, its references, and strings of tag sets alone. */
  #moved(
    structure: FeatureStructure,
    sofa: FeatureStructure,
    change: TextChange,
  ): FeatureStructure {
    if (structure === sofa) {
      const { '%ID': id, '%TYPE': type } = structure;
      const kept = { '%ID': id, '%TYPE': type, ...this.removals.plain(structure, ['sofaNum']) };
      const names = this.removals.names(structure, ['sofaID']);
      const mime = structure.mimeType === undefined ? {} : { mimeType: 'text/plain' };
      const written: Fields = { ...kept, ...names, ...mime, sofaString: change.after };
      return this.removals.keep(structure, written) as FeatureStructure;
    }
    const type = structure['%TYPE'];
    if (!TYPE_NAME.test(type))
      throw new TacetError(
        'corpus-invalid',
        `${this.origin}: the type of a structure is no name of letters, digits and dots, so that it could hold words of the text`,
      );
    const entries = Object.entries(structure).filter(([name, value]) => {
      if (name === '%FLAGS') return hasFlagsAlone(value);
      if (/^[%@^]/.test(name)) return /^%(ID|TYPE)$/.test(name) || isReference(name, value);
      if (typeof value === 'number' || typeof value === 'boolean') return true;
      return isName(value) && isTagFeature(type, name);
    });
    const kept: Record<string, unknown> = Object.fromEntries(entries);
    if (String(structure['@sofa']) === String(sofa['%ID'])) {
      const { begin, end } = structure;
      if (typeof begin === 'number') kept.begin = change.moved(begin, 'start');
      // A mark between two characters stays one, lest it take in what stands for the word around it.
      if (typeof end === 'number') kept.end = change.moved(end, end === begin ? 'start' : 'end');
    }
    return this.removals.keep(structure, kept) as FeatureStructure;
  }

  /** Names of types, their parents, their features and what these hold. */
  #types(types: unknown): Fields {
    const known = ['%NAME', '%SUPER_TYPE', '%RANGE', '%ELEMENT_TYPE'];
    const named = (own: unknown): Fields => (isObject(own) ? this.removals.names(own, known) : {});
    const kept = Object.entries(isObject(types) ? types : {}).filter(([name]) => isName(name));
    return Object.fromEntries(
      kept.map(([name, type]) => {
        const features = Object.entries(type as Fields).filter(
          ([feature, own]) => isName(feature) && isObject(own),
        );
        const own = features.map(([feature, value]) => [feature, named(value)]);
        return [name, { ...named(type), ...Object.fromEntries(own) }];
      }),
    );
  }

  /** The view of the text alone, its members by number. */
  #views(views: unknown, { sofaID, '%ID': id }: FeatureStructure): Fields {
    const all = isObject(views) ? views : {};
    const name = String(sofaID);
    const own = isObject(all[name]) ? all[name] : {};
    const members = Array.isArray(own['%MEMBERS']) ? own['%MEMBERS'] : [];
    const known = { '%SOFA': id, '%MEMBERS': members.filter((each) => typeof each === 'number') };
    this.removals.keep(own, known);
    return this.removals.keep(all, { [name]: known });
  }

  /** `%HEADER` names versions alone; whatever stands beside is not known. */
  #header(others: Fields): Fields {
    const { '%FEATURE_STRUCTURES': structures, ...own } = others;
    this.removals.keep(own, {});
    return {};
  }
}

function hasFlagsAlone(value: unknown): boolean {
  const isFlag = ([name, each]: [string, unknown]) => isName(name) && typeof each === 'boolean';
  return isObject(value) && Object.entries(value).every(isFlag);
}

/** `@feature`, and the elements of an array, point at structures by number. */
function isReference(name: string, value: unknown): boolean {
  const values = Array.isArray(value) ? value : [value];
  return (
    /^(@|%ELEMENTS$)/.test(name) &&
    values.every((each) => typeof each === 'number' || each === null)
  );
}

function withNamedEntity(types: Fields): Fields {
  if (Object.hasOwn(types, NAMED_ENTITY)) return types;
  const value = { '%NAME': 'value', '%RANGE': 'uima.cas.String' };
  const entity = { '%NAME': NAMED_ENTITY, '%SUPER_TYPE': 'uima.tcas.Annotation', value };
  return { ...types, [NAMED_ENTITY]: entity };
}

function withMembers(views: Fields, view: string, sofa: unknown, added: readonly number[]): Fields {
  const own = isObject(views[view]) ? (views[view] as Fields) : { '%SOFA': sofa };
  const members = Array.isArray(own['%MEMBERS']) ? own['%MEMBERS'] : [];
  return { ...views, [view]: { ...own, '%MEMBERS': [...members, ...added] } };
}
