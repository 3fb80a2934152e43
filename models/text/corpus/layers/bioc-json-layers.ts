import { parseBiocFile } from '../bioc-json.js';
import { BiocLayers } from './bioc-layers.js';
import { type Fields, Removals } from './closed-structure.js';
import type { LayeredFile, LayerTreatment } from './layered-file.js';

/** A BioC collection in JSON, or a list of some, with whatever else it holds. Throws `corpus-invalid`. */
export function biocJsonLayers(
  content: string,
  origin: string,
  treatment: LayerTreatment,
): LayeredFile {
  const removals = new Removals();
  const file = parseBiocFile(content, origin);
  const collections = ('documents' in file ? [file] : file).map((collection) => {
    const documents = collection.documents.map(
      (document, index) =>
        new BiocLayers(document, `${origin}: /documents/${index}`, treatment, removals),
    );
    return { collection: collection as unknown as Fields, documents };
  });
  const written = () =>
    collections.map(({ collection, documents }) => {
      const own = documents.map((document) => document.value);
      if (treatment === 'annotate') return { ...collection, documents: own };
      const { version } = collection;
      return removals.keep(collection, {
        ...{ source: '', date: '', key: '', ...(version === undefined ? {} : { version: '1.0' }) },
        ...{ infons: {}, documents: own },
      });
    });
  let result: Fields[] | undefined;
  return {
    documents: collections.flatMap(({ documents }) => documents),
    get removed() {
      result ??= written();
      return removals.count;
    },
    format: () => {
      result ??= written();
      return `${JSON.stringify('documents' in file ? result[0] : result)}\n`;
    },
  };
}
