import type { Facts } from './manifest.js';

/** What a manifest says that a model was trained on: a corpus or a snapshot, and how much of it. */
export function trainedOn({ corpus, snapshot, documents, sentences }: Facts): string | undefined {
  const what = corpus ?? (snapshot === undefined ? undefined : `snapshot ${snapshot} of a pool`);
  const known = [
    ...(what === undefined ? [] : [`${what}`]),
    ...(documents === undefined ? [] : [`${documents} documents`]),
    ...(sentences === undefined ? [] : [`${sentences} sentences`]),
  ];
  return known.length === 0 ? undefined : known.join(', ');
}
