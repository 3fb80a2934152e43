import { biocJsonLayers } from './bioc-json-layers.js';
import { biocXmlLayers } from './bioc-xml-layers.js';
import { casJsonLayers } from './cas-json-layers.js';
import { casXmiLayers } from './cas-xmi-layers.js';
import { doccanoLayers } from './doccano-layers.js';
import { withMarkedNumbers, withoutMarks } from './exact-numbers.js';
import { requireModestNesting } from './json-nesting.js';
import { labelStudioLayers } from './label-studio-layers.js';
import type { LayeredFile, LayerTreatment } from './layered-file.js';
import { webannoLayers } from './webanno-layers.js';

const READERS = {
  doccano: doccanoLayers,
  jsonl: doccanoLayers,
  'label-studio': labelStudioLayers,
  'bioc-json': biocJsonLayers,
  'cas-json': casJsonLayers,
  bioc: biocXmlLayers,
  xmi: casXmiLayers,
  webanno: webannoLayers,
} as const;

/** Formats whose files are written back with all that they hold. */
export const LAYERED_FORMATS = [
  'doccano',
  'jsonl',
  'label-studio',
  'bioc-json',
  'cas-json',
  'bioc',
  'xmi',
  'webanno',
] as const;

export type LayeredFormat = (typeof LAYERED_FORMATS)[number];

/** Those whose numbers JavaScript would write with fewer digits. */
const OF_JSON: ReadonlySet<LayeredFormat> = new Set<LayeredFormat>([
  ...(['doccano', 'jsonl', 'label-studio', 'bioc-json', 'cas-json'] as const),
]);

/** A file's documents, to be changed, and written back. Throws `corpus-invalid`. */
export function readLayers(
  content: string,
  format: LayeredFormat,
  origin: string,
  treatment: LayerTreatment,
): LayeredFile {
  const read = READERS[format];
  if (!OF_JSON.has(format)) return read(content, origin, treatment);
  requireModestNesting(content, origin);
  const marked = withMarkedNumbers(content, origin);
  const file = read(marked, origin, treatment);
  return {
    documents: file.documents,
    get removed() {
      return file.removed;
    },
    format: () => (marked === content ? file.format() : withoutMarks(file.format())),
  };
}
