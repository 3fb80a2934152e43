import type { TextExample } from '../training/data/examples.js';
import type { ReplacedEntity } from './replaced-entity.js';
import type { AuditTarget } from './target.js';

/** An entity that others were encoded for, in one note. */
export interface Original extends Pick<ReplacedEntity, 'type' | 'ids'> {
  readonly documentIndex: number;
  /** The sentences that it stood in, with the surrogates that stand there in its place. */
  readonly sentences: ReadonlyMap<TextExample, readonly ReplacedEntity[]>;
}

/** The originals of each test note, in the order of their first mentions. */
export function originalsOf({ test, replaced }: Pick<AuditTarget, 'test' | 'replaced'>) {
  const originals = new Map<
    string,
    Original & { readonly sentences: Map<TextExample, ReplacedEntity[]> }
  >();
  for (const example of test) {
    for (const span of replaced?.get(example) ?? []) {
      const { documentIndex } = example;
      const { type, ids } = span;
      const key = `${documentIndex}/${type}/${ids}`;
      const own = originals.get(key) ?? { documentIndex, type, ids, sentences: new Map() };
      own.sentences.set(example, [...(own.sentences.get(example) ?? []), span]);
      originals.set(key, own);
    }
  }
  return [...originals.values()];
}
