import { pool, type Template } from './grammar.js';
import { readData } from './read-data.js';

type SentenceKind =
  | 'contact'
  | 'course'
  | 'examination'
  | 'family'
  | 'history'
  | 'imaging'
  | 'impression'
  | 'closing'
  | 'salutation'
  | 'lookAlikes'
  | 'medication'
  | 'nursing'
  | 'operation'
  | 'plan'
  | 'presentation'
  | 'results'
  | 'socialWork'
  | 'childSocial'
  | 'social';

const SOURCES = readData<Readonly<Record<SentenceKind, readonly string[]>>>('sentences');

function pools<K extends string>(sources: Readonly<Record<K, readonly string[]>>) {
  const byKind: Partial<Record<K, readonly Template[]>> = {};
  for (const kind of Object.keys(sources) as K[]) byKind[kind] = pool(...sources[kind]);
  return byKind as Readonly<Record<K, readonly Template[]>>;
}

/** Sentence skeletons by kind; the look-alikes hold no PHI, but words and numbers that look like it. */
export const SENTENCES = pools(SOURCES);
