import type { Origins } from '../../models/statistics/origins.js';
import { originsOf } from '../../models/text/corpus/kept-together.js';
import { originOf } from '../../models/text/corpus/template-id.js';
import type { Site } from './sites.js';

/** Of the documents of all places, one place after another, which belong together; ids are a place's own. */
export function siteOrigins(sites: readonly Site[]): Origins {
  const named = sites.flatMap(({ name, documents }) =>
    documents.map((document) => ({ ...document, place: name })),
  );
  return originsOf(named, (document) => `${document.place}/${originOf(document)}`);
}
