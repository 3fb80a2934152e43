import { TacetError } from '../../../../proto/errors.js';
import { NAMED_ENTITY } from '../annotation-layers.js';
import {
  type CasFile,
  type FeatureStructure,
  offsetsIn,
  parseCasFile,
  parseCasJson,
} from '../cas-json.js';
import { checkedDocument } from '../raw-document.js';
import { isTagFeature } from './cas-tags.js';
import { type Fields, INITIAL_VIEW, isName, isObject, Removals } from './closed-structure.js';
import { isMarkedNumber } from './exact-numbers.js';
import { largestNumber } from './largest-number.js';
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

/** An offset of a structure behind the change, both as the file counts. */
type Move = (offset: number, edge: 'start' | 'end') => number;

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
    const before = offsetsIn(this.text, this.#file);
    const after = offsetsIn(change.after, this.#file);
    const moved: Move = (offset, edge) =>
      after.counted(change.moved(before.utf16(offset) ?? this.text.length, edge));
    const kept = isKept
      ? structures
      : structures.map((each) => this.#moved(each, sofa, change.after, moved));
    const ids = structures.map((each) => Number(each['%ID'])).filter(Number.isSafeInteger);
    let next = largestNumber(ids, 0);
    const found = change.spans.map(({ type, start, end }) => ({
      ...{
        '%ID': ++next,
        '%TYPE': NAMED_ENTITY,
        '@sofa': sofa['%ID'],
        begin: after.counted(start),
        end: after.counted(end),
        value: type,
      },
    }));
    const { '%TYPES': types, '%VIEWS': views, ...others } = this.#file as unknown as Fields;
    const header = isKept ? others : this.#header(others);
    const isList = Array.isArray(this.#file['%FEATURE_STRUCTURES']);
    const all = [...kept, ...found] as FeatureStructure[];
    this.#file = inOrder(this.#file as unknown as Fields, {
      ...header,
      '%TYPES': withNamedEntity(isKept ? ((types ?? {}) as Fields) : this.#types(types)),
      '%FEATURE_STRUCTURES': isList
        ? all
        : Object.fromEntries(all.map(({ '%ID': id, ...own }) => [String(id), own])),
      '%VIEWS': withMembers(
        isKept ? ((views ?? {}) as Fields) : this.#views(views, sofa),
        isKept ? String(sofa.sofaID) : viewName(sofa),
        sofa['%ID'],
        found.map((each) => each['%ID']),
      ),
    }) as unknown as CasFile;
  }

  format(): string {
    return `${JSON.stringify(this.#file)}\n`;
  }

  #structures(): FeatureStructure[] {
    const all = this.#file['%FEATURE_STRUCTURES'];
    if (Array.isArray(all)) return all as FeatureStructure[];
    return Object.entries(all).map(([key, own]) => {
      const { '%ID': _, ...others } = own;
      return { '%ID': Number(key), ...others } as FeatureStructure;
    });
  }

  /** A structure with its place in the changed text, its numbers, its references, and strings of tag sets alone. */
  #moved(
    structure: FeatureStructure,
    sofa: FeatureStructure,
    textAfter: string,
    moved: Move,
  ): FeatureStructure {
    if (structure === sofa) {
      const { '%ID': id, '%TYPE': type } = structure;
      const kept = { '%ID': id, '%TYPE': type, ...this.removals.plain(structure, ['sofaNum']) };
      const names = { sofaID: viewName(structure) };
      const mime = structure.mimeType === undefined ? {} : { mimeType: 'text/plain' };
      const written: Fields = { ...kept, ...names, ...mime, sofaString: textAfter };
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
      if (isMarkedNumber(value)) return true;
      return isName(value) && isTagFeature(type, name);
    });
    const kept: Record<string, unknown> = Object.fromEntries(entries);
    if (String(structure['@sofa']) === String(sofa['%ID'])) {
      const { begin, end } = structure;
      if (typeof begin === 'number') kept.begin = moved(begin, 'start');
      // A mark between two characters stays one, lest it take in what stands for the word around it.
      if (typeof end === 'number') kept.end = moved(end, end === begin ? 'start' : 'end');
    }
    return this.removals.keep(structure, kept) as FeatureStructure;
  }

  /** Names of types, their parents, their features and what these hold. */
  #types(types: unknown): Fields {
    const known = ['%NAME', '%SUPER_TYPE', '%RANGE', '%ELEMENT_TYPE'];
    const named = (own: unknown): Fields =>
      isObject(own)
        ? Object.fromEntries(
            known.filter((key) => isTypeName(own[key])).map((key) => [key, own[key]]),
          )
        : {};
    const kept = Object.entries(isObject(types) ? types : {}).filter(([name]) => isTypeName(name));
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
  #views(views: unknown, sofa: FeatureStructure): Fields {
    const all = isObject(views) ? views : {};
    const stated = all[String(sofa.sofaID)];
    const own = isObject(stated) ? stated : {};
    const members = Array.isArray(own['%MEMBERS']) ? own['%MEMBERS'] : [];
    const known = {
      '%SOFA': sofa['%ID'],
      '%MEMBERS': members.filter((each) => typeof each === 'number'),
    };
    this.removals.keep(own, known);
    return this.removals.keep(all, { [viewName(sofa)]: known });
  }

  /** Of `%HEADER` how offsets count; whatever stands beside is not known. */
  #header(others: Fields): Fields {
    const { '%FEATURE_STRUCTURES': structures, ...own } = others;
    const encoding = this.#file['%HEADER']?.['offset-encoding'];
    return this.removals.keep(
      own,
      encoding === undefined ? {} : { '%HEADER': { 'offset-encoding': encoding } },
    );
  }
}

/** The same entries in the order of the file before. UIMA's own reader wants header, types and structures in turn. */
function inOrder(before: Fields, entries: Fields): Fields {
  const types = Object.hasOwn(before, '%TYPES') ? [] : ['%TYPES'];
  const keys = ['%HEADER', ...types, ...Object.keys(before), ...Object.keys(entries)];
  const own = [...new Set(keys)].filter((key) => Object.hasOwn(entries, key));
  return Object.fromEntries(own.map((key) => [key, entries[key]]));
}

/** A name of a view tells nothing but where it could be a text. */
function viewName({ sofaID }: FeatureStructure): string {
  return isName(sofaID) ? sofaID : INITIAL_VIEW;
}

function isTypeName(value: unknown): boolean {
  return typeof value === 'string' && TYPE_NAME.test(value);
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
