import { TacetError } from '../../../proto/errors.js';
import { isSpanLayer, labelFeature, NAMED_ENTITY, shortName } from './annotation-layers.js';
import type { RawDocument, RawSpan } from './raw-document.js';

/** An annotation of a UIMA CAS: a type, a place in a text and features that are strings. */
export interface CasAnnotation {
  readonly layer: string;
  readonly sofa: string;
  /** In UTF-16 units, as Java counts. */
  readonly begin: number;
  readonly end: number;
  readonly features: Readonly<Record<string, string>>;
  /** Where the file has it. */
  readonly place: string;
}

/** A text of a CAS: its subject of analysis. */
export interface CasSofa {
  readonly id: string;
  /** `_InitialView` unless the CAS holds several. */
  readonly view: string;
  readonly text: string;
}

/** What a file says of a CAS. */
export interface Cas {
  readonly sofas: readonly CasSofa[];
  readonly annotations: readonly CasAnnotation[];
  /** Features that a type declares, where the file has its type system. */
  readonly features: ReadonlyMap<string, readonly string[]>;
}

/**
 * The document of a CAS: the text of its initial view, with the entities of INCEpTION's own layer and of
 * custom layers as spans. Throws `corpus-invalid` where it has no text, and where a layer does not say
 * which of its features is the label.
 */
export function rawCasDocument(cas: Cas, id: string, origin: string): RawDocument {
  const invalid = (problem: string) => new TacetError('corpus-invalid', `${origin}: ${problem}`);
  const { sofas, annotations } = cas;
  const [sofa, another] = sofas.length === 1 ? sofas : sofas.filter(isInitial);
  if (sofa === undefined || another !== undefined)
    throw invalid('there is no text to read; expected one sofa, or one of "_InitialView"');
  const seen = featuresSeen(cas);
  const spans: RawSpan[] = [];
  let otherLayers = 0;
  let emptySpans = 0;
  for (const annotation of annotations) {
    if (annotation.sofa !== sofa.id) continue;
    const { layer, begin, end, place } = annotation;
    if (!isSpanLayer(layer)) {
      otherLayers++;
      continue;
    }
    // INCEpTION marks places between characters, too.
    if (begin === end) {
      emptySpans++;
      continue;
    }
    const feature = labelFeature(seen.get(layer) ?? []);
    if (feature === undefined)
      throw invalid(
        `${place}: the layer has several features and none is called "value" or "label"; ` +
          'expected one that holds the label',
      );
    const label = feature === null ? undefined : annotation.features[feature];
    spans.push({ type: label ?? shortName(layer), start: begin, end, place });
  }
  const isPlain = spans.length === 0 && !cas.features.has(NAMED_ENTITY);
  return {
    id,
    text: sofa.text,
    spans,
    counting: 'utf-16',
    isPlain,
    origin,
    remarks: { otherLayers, emptySpans },
  };
}

function isInitial({ view }: CasSofa): boolean {
  return view === '_InitialView';
}

/** The features of each layer, as its type declares them or, without a type system, as they are met. */
function featuresSeen({ annotations, features }: Cas): ReadonlyMap<string, readonly string[]> {
  const seen = new Map<string, readonly string[]>(features);
  for (const { layer, features: own } of annotations) {
    if (features.has(layer)) continue;
    seen.set(layer, [...new Set([...(seen.get(layer) ?? []), ...Object.keys(own)])]);
  }
  return seen;
}
