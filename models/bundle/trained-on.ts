import type { Facts } from './manifest.js';

/** Of notes of several, the only ones whose number their publisher knows. */
export const OWN_DOCUMENTS = 'documents of its publisher';

/** What a manifest says that a model was trained on: a corpus or a snapshot, and how much of it. */
export function trainedOn({
  corpus,
  snapshot,
  documents,
  sentences,
  [OWN_DOCUMENTS]: own,
}: Facts): string | undefined {
  const what = corpus ?? (snapshot === undefined ? undefined : `snapshot ${snapshot} of a pool`);
  const known = [
    ...(what === undefined ? [] : [`${what}`]),
    ...(documents === undefined ? [] : [`${documents} documents`]),
    ...(own === undefined ? [] : [`${own} ${OWN_DOCUMENTS}`]),
    ...(sentences === undefined ? [] : [`${sentences} sentences`]),
  ];
  return known.length === 0 ? undefined : known.join(', ');
}
