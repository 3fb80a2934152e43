import { isBinary } from '../../../models/bundle/binary-scheme.js';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { representedBy } from '../../../models/bundle/represented.js';
import { describedBy, schemeOf } from '../../../models/bundle/stated-scheme.js';
import { type Trust, type VerifiedFiles, verifyBundle } from '../../../models/bundle/verify.js';
import type { Embeddings } from '../../../models/embeddings/embeddings.js';
import {
  hasLabelScheme,
  type LabelScheme,
  loadLabelScheme,
} from '../../../models/text/label-scheme.js';
import { TOKENISATION } from '../../../models/text/tokeniser.js';
import { TacetError } from '../../../proto/errors.js';

/** A verified bundle with the embeddings and the label scheme that it was trained on. */
export interface FittedBundle {
  /** Its weights are bytes yet: none of them was parsed. */
  readonly verified: VerifiedFiles;
  readonly embeddings: Embeddings;
  readonly scheme: LabelScheme;
}

export interface FittedBundleOptions extends Trust {
  readonly embeddings: Embeddings;
  /** A label scheme's name or file; the bundle's own by default. */
  readonly scheme?: string | undefined;
}

/**
 * Verifies a bundle, and refuses it with `tokenisation-unsupported` or `model-unsuitable` where
 * tokenisation, embeddings or labels are other than those it was trained on: its vectors would then
 * mean nothing. Throws as `verifyBundle` does besides.
 */
export async function verifyFittedBundle(
  directory: string,
  kind: Manifest['kind'],
  { embeddings, scheme: schemeName, ...trust }: FittedBundleOptions,
): Promise<FittedBundle> {
  const verified = await verifyBundle(directory, trust);
  const { manifest } = verified;
  requireKind(directory, manifest, kind);
  requireTokenisation(directory, manifest.tokenisation);
  requireEmbeddings(directory, manifest, embeddings);
  const scheme = requireScheme(directory, manifest, schemeName);
  return { verified, embeddings, scheme };
}

/** Throws `model-unsuitable` where a bundle is of another kind. */
export function requireKind(where: string, manifest: Manifest, kind: Manifest['kind']): void {
  if (manifest.kind === kind) return;
  if (kind === 'representation') representedBy(where, manifest);
  throw new TacetError(
    'model-unsuitable',
    `${where}: expected a ${kind} bundle, found a ${manifest.kind}`,
  );
}

/** Throws `tokenisation-unsupported` where a model splits text in another way than this program. */
export function requireTokenisation(where: string, wanted: string): void {
  if (wanted === TOKENISATION) return;
  throw new TacetError(
    'tokenisation-unsupported',
    `${where}: the model was trained with tokenisation ${wanted}, this program has ` +
      `${TOKENISATION}; use the version of tacet that made it, or a newer model`,
  );
}

/** Throws `model-unsuitable` where a model was trained on other embeddings. */
export function requireEmbeddings(
  where: string,
  manifest: Manifest,
  { identity }: Pick<Embeddings, 'identity'>,
): void {
  requireSame(where, 'the embeddings', manifest.embeddings.identity, identity);
}

/**
 * The label scheme of a model: the one that its manifest carries, which a policy may name, or a given
 * one that must have its labels, or for a representation those of `phi-binary`. Of a given one the map counts; which
 * types describe is the publisher's word. Throws as `schemeOf` does, `model-unsuitable`, or `file-not-found`
 * where there is no scheme of the name that is given.
 */
export function requireScheme(
  where: string,
  { kind, labelScheme }: Manifest,
  nameOrFile?: string,
): LabelScheme {
  const isOwn = nameOrFile === labelScheme.name && !hasLabelScheme(nameOrFile);
  if (nameOrFile === undefined || isOwn) return schemeOf(where, labelScheme);
  const scheme = loadLabelScheme(nameOrFile);
  if (kind === 'representation' && isBinary(scheme)) return scheme;
  if (scheme.digest === labelScheme.digest)
    return { ...scheme, describes: describedBy(labelScheme) };
  const joined = kind === 'representation' ? ', or phi-binary, which tells no types apart' : '';
  throw new TacetError(
    'model-unsuitable',
    `${where}: its labels are those of ${named(labelScheme)}, and ${nameOrFile} has others (${named(scheme)}); ` +
      `name no label scheme, which takes the model's own${joined}, or find a model that was trained on these`,
  );
}

function named({
  name,
  version,
  digest,
}: Pick<LabelScheme, 'name' | 'version' | 'digest'>): string {
  return `${name} ${version}, ${digest.slice(0, 12)}`;
}

function requireSame(directory: string, what: string, wanted: string, found: string): void {
  if (wanted !== found)
    throw new TacetError(
      'model-unsuitable',
      `${directory}: ${what} of the model is ${wanted}, the one given is ${found}`,
    );
}
