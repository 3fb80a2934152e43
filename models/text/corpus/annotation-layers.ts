/**
 * Which of the layers that INCEpTION and DKPro Core write mark spans with labels, and what their labels are. A
 * layer is the type of a UIMA annotation.
 */

/** INCEpTION's built-in layer for entities; its feature `value` is the label. */
export const NAMED_ENTITY = 'de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity';

/** Layers of structure, syntax and bookkeeping, none of which says where PHI stands. */
const OTHER_LAYERS =
  /^(uima\.|de\.tudarmstadt\.ukp\.(dkpro\.core\.api\.(?!ner\.)|clarin\.webanno\.|inception\.)|org\.dkpro\.core\.|cassis\.(Token|Sentence)$)/;

/** Features that hold a label, the likeliest first. */
const LABEL_FEATURES = [
  'value',
  'label',
  'Label',
  'type',
  'entityType',
  'category',
  'tag',
] as const;
/** Features that every annotation or entity has, none of them a label. */
const OTHER_FEATURES: ReadonlySet<string> = new Set(['identifier', 'begin', 'end', 'sofa', 'id']);

/** Whether annotations of a layer are spans of the document. */
export function isSpanLayer(layer: string): boolean {
  return !OTHER_LAYERS.test(layer);
}

/**
 * The feature of a layer that holds its labels: one of the usual names, or the only one there is. Null where
 * there is none, so that the layer's own name is the label; undefined where it could be several.
 */
export function labelFeature(features: readonly string[]): string | null | undefined {
  const usual = LABEL_FEATURES.find((name) => features.includes(name));
  if (usual !== undefined) return usual;
  const own = features.filter((name) => !OTHER_FEATURES.has(name));
  if (own.length > 1) return undefined;
  return own[0] ?? null;
}

/** A layer's name without its package, which is the label of annotations that have no other. */
export function shortName(layer: string): string {
  return layer.slice(layer.lastIndexOf('.') + 1);
}
