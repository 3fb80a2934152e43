import type { Random } from '../../tensor/random.js';
import type { TextExample } from '../../training/data/examples.js';
import { EntityPools } from '../entity-pools.js';
import { originalsOf } from '../originals.js';
import type { ReplacedEntity } from '../replaced-entity.js';
import type { AuditTarget } from '../target.js';
import { TraitReader, type Traits } from '../traits.js';
import { type ListedEntity, listFor, type Place } from './listed-entity.js';

/** An entity that another one was encoded for, with the list to name it from. */
export interface ListedOriginal extends Omit<ListedEntity, 'places'> {
  readonly places: readonly ReplacedPlace[];
}

/** A sentence with the surrogates that stand where the entity stood. */
export interface ReplacedPlace extends Place {
  /** Ids of the sentence with other surrogates there, which were drawn for other notes. */
  readonly otherwise: Int32Array;
}

/**
 * The entities of the test notes that others were encoded for, in random order, each with at most
 * `longest` that it may have been: of its type and number of words, from all notes as they were. Those
 * are left out of whose surrogates no other note has one of the same type and number of words.
 */
export function listedOriginals(
  target: AuditTarget,
  longest: number,
  random: Random,
): ListedOriginal[] {
  const { train, validation, test, replaced = new Map() } = target;
  const all = [train, validation, test].flat().flatMap((example) => replaced.get(example) ?? []);
  const pools = new EntityPools(all);
  const surrogates = new SurrogatePools(target);
  const traits = new TraitReader(target);
  const originals = originalsOf(target);
  random.shuffle(originals);
  return originals.flatMap(({ documentIndex, type, ids, sentences }) => {
    const list = listFor({ type, ids }, pools, longest, random);
    const places = [...sentences].flatMap(([example, spans]) => {
      const otherwise = surrogates.exchange(example, spans, random);
      return otherwise ? [{ ...placeOf(example, spans, ids.length), otherwise }] : [];
    });
    if (list.length < 2 || places.length < sentences.size) return [];
    const [[example, [span]]] = sentences;
    const own: Traits = {
      ...traits.of(example, span.start),
      sentences: sentences.size > 1 ? 'several sentences' : 'one sentence',
    };
    return [{ documentIndex, type, list, places, traits: own }];
  });
}

/**
 * The attacker does not know how many words stood there: an entity of `count` words is cut, or its last word
 * repeated, to as many as the surrogate has.
 */
function placeOf(example: TextExample, spans: readonly ReplacedEntity[], count: number): Place {
  const tokens = spans.flatMap(({ start, end }) => range(end - start).map((i) => start + i));
  const words = spans.flatMap(({ start, end }) =>
    range(end - start).map((i) => Math.min(i, count - 1)),
  );
  return { example, tokens, words };
}

/** The surrogates of all notes, as often as they stand there, by type and number of words. */
class SurrogatePools {
  readonly #pools = new Map<string, { readonly note: string; readonly ids: Int32Array }[]>();

  constructor(target: AuditTarget) {
    for (const part of ['train', 'validation', 'test'] as const) {
      for (const example of target[part]) {
        for (const span of target.replaced?.get(example) ?? []) {
          const pool = this.#pools.get(kindOf(span)) ?? [];
          const ids = example.ids.slice(span.start, span.end);
          pool.push({ note: `${part}-${example.documentIndex}`, ids });
          this.#pools.set(kindOf(span), pool);
        }
      }
    }
  }

  /** A test sentence with surrogates of other notes at `spans`; undefined where no other note has any. */
  exchange(
    { ids, documentIndex }: TextExample,
    spans: readonly ReplacedEntity[],
    random: Random,
  ): Int32Array | undefined {
    const exchanged = ids.slice();
    for (const span of spans) {
      const pool = this.#pools.get(kindOf(span)) ?? [];
      const others = pool.filter(({ note }) => note !== `test-${documentIndex}`);
      if (others.length === 0) return undefined;
      exchanged.set(others[random.integer(others.length)].ids, span.start);
    }
    return exchanged;
  }
}

function kindOf({ type, start, end }: ReplacedEntity): string {
  return `${type}:${end - start}`;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
