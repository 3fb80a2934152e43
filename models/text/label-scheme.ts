import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { TacetError } from '../../proto/errors.js';
import type { Document } from './document.js';
import { type LabelSchemeFile, parseLabelScheme } from './label-scheme-file.js';
import { TypeNames, typeName } from './type-name.js';

/** The PHI types of a corpus or task, and how other corpora's types map to them. */
export interface LabelScheme {
  readonly name: string;
  readonly version: string;
  readonly types: readonly string[];
  /** From a corpus's own type to one of `types`, or to null where it is not PHI in this scheme. */
  readonly map: Readonly<Record<string, string | null>>;
  /** Those of `types` whose entities say what something is and name nobody directly, in the order of `types`. */
  readonly describes: readonly string[];
  /** IOB2 labels by id: `O`, then `B-t`, `I-t` for each type in order. */
  readonly labels: readonly string[];
  /** SHA-256, in hexadecimal, of the canonical JSON of labels, name and version. */
  readonly digest: string;
}

/**
 * A scheme of `models/text/schemes` by name (`meddocan`, `hipaa-binary`, ...), or a file of the same
 * shape by path. Throws `file-not-found` or `config-invalid`.
 */
export function loadLabelScheme(nameOrPath: string): LabelScheme {
  const file = schemeFile(nameOrPath);
  if (!existsSync(file)) {
    throw new TacetError(
      'file-not-found',
      `label scheme ${nameOrPath}: there is no scheme of that name and no such file`,
    );
  }
  return createLabelScheme(parseLabelScheme(readFileSync(file, 'utf8'), nameOrPath));
}

/** Whether `loadLabelScheme` finds something of that name or at that path. */
export function hasLabelScheme(nameOrPath: string): boolean {
  return existsSync(schemeFile(nameOrPath));
}

function schemeFile(nameOrPath: string): URL | string {
  return /^[a-z0-9-]+$/.test(nameOrPath)
    ? new URL(`./schemes/${nameOrPath}.json`, import.meta.url)
    : nameOrPath;
}

/** Whether the scheme has a type or maps it. */
export function knowsType(type: string, scheme: LabelScheme): boolean {
  return Object.hasOwn(scheme.map, type) || scheme.types.includes(type);
}

/**
 * Throws `label-unknown` with every type of the spans that the scheme neither has nor maps, but for those that are words
 * of what `markedBy` says that a span marks; `where` they stand is said first.
 */
export function requireKnownTypes<S extends { readonly type: string }>(
  spans: Iterable<S>,
  scheme: LabelScheme,
  markedBy: (span: S) => string = () => '',
  where?: string,
): void {
  let unknown: TypeNames | undefined;
  for (const span of spans) {
    if (knowsType(span.type, scheme)) continue;
    unknown ??= new TypeNames();
    unknown.add(span.type, markedBy(span));
  }
  if (!unknown) return;
  const problem = describeUnknown(Object.keys(unknown.counts()), scheme);
  throw new TacetError('label-unknown', where === undefined ? problem : `${where}: ${problem}`);
}

/** The same of the spans of a document, whose text may stand in the place of a type. Throws `label-unknown`. */
export function requireKnownSpans(
  { text, spans }: Pick<Document, 'text' | 'spans'>,
  scheme: LabelScheme,
  where?: string,
): void {
  requireKnownTypes(spans, scheme, ({ start, end }) => text.slice(start, end), where);
}

const MOST_NAMED = 20;

/** One line that names the types, each once and at most some of them, and all that the scheme knows. */
export function describeUnknown(types: Iterable<string>, scheme: LabelScheme): string {
  const all = [...new Set(Array.from(types, typeName))].sort();
  const more = all.length - MOST_NAMED;
  const names = all.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} others` : '');
  const mapped = Object.keys(scheme.map).filter((type) => !scheme.types.includes(type));
  const also = mapped.length > 0 ? `, and maps ${mapped.join(', ')}` : '';
  return (
    `label scheme ${scheme.name} has no ${names}; it has ${scheme.types.join(', ')}${also}; ` +
    'add what is missing to its map in a scheme file of your own, or drop those spans'
  );
}

/** The type that a corpus's own type stands for; null where it is not PHI in this scheme. */
export function mapType(type: string, scheme: LabelScheme): string | null {
  if (Object.hasOwn(scheme.map, type)) return scheme.map[type] as string | null;
  if (!scheme.types.includes(type)) requireKnownTypes([{ type }], scheme);
  return type;
}

/** The scheme of these types and this map, numbered and digested. */
export function createLabelScheme({
  name,
  version,
  types,
  map,
  describes = [],
}: Omit<LabelSchemeFile, 'description' | 'reasons'>): LabelScheme {
  const labels = ['O', ...types.flatMap((type) => [`B-${type}`, `I-${type}`])];
  const digest = createHash('sha256').update(JSON.stringify({ labels, name, version }));
  return {
    ...{ name, version, types, map, labels },
    describes: types.filter((type) => describes.includes(type)),
    digest: digest.digest('hex'),
  };
}
