import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { Random } from '../../tensor/random.js';
import type { TextExample } from '../../training/data/examples.js';
import { type Entity, entitiesOf, entityTraits } from '../entities.js';
import { EntityPools, type TypedEntity, typedEntities } from '../entity-pools.js';
import type { AuditTarget } from '../target.js';
import { TraitReader, type Traits } from '../traits.js';

/** An entity that an attacker does not know in a note that it knows otherwise, and a list that has it. */
export interface ListedEntity {
  readonly documentIndex: number;
  readonly type: string;
  /** What it may be, itself first: entities of one type and one number of words. */
  readonly list: readonly (readonly number[])[];
  readonly places: readonly Place[];
  readonly traits: Traits;
}

/** A sentence in which it stands, or a word of it. */
export interface Place {
  readonly example: TextExample;
  readonly tokens: readonly number[];
  /** For each of the tokens, which word of the entity stands there. */
  readonly words: readonly number[];
}

/** The sentence of a place with another entity there, in the casing of what stands there. */
export function filled(
  { example, tokens, words }: Place,
  entity: readonly number[],
  vocabulary: Vocabulary,
): Int32Array {
  const ids = example.ids.slice();
  tokens.forEach((token, i) => {
    const own = ids[token];
    const word = entity[words[i]] as number;
    if (vocabulary.uncased(own) !== word)
      ids[token] = vocabulary.inCasing(word, vocabulary.casing(own));
  });
  return ids;
}

/**
 * The entities of the test notes in random order, each with at most `longest` that it may be, drawn
 * uniformly from those of its type and number of words in all notes. A person is hidden whole, with the
 * shorter forms of the name. Entities that have no other of their kind are left out.
 */
export function listedEntities(
  target: AuditTarget,
  longest: number,
  random: Random,
): ListedEntity[] {
  const { train, validation, test } = target;
  const pools = new EntityPools(typedEntities([train, validation, test], target));
  const traits = new TraitReader(target);
  const entities = withoutShortForms(entitiesOf(target.test, target.vocabulary));
  random.shuffle(entities);
  return entities.flatMap((entity) => {
    const { documentIndex, ids } = entity;
    const own = entityTraits(entity, traits);
    const list = listFor({ type: own.type, ids }, pools, longest, random);
    if (list.length < 2) return [];
    const places = placesOf(entity, target.vocabulary);
    return [{ documentIndex, type: own.type, list, places, traits: own }];
  });
}

/** The entity, followed by others like it. */
export function listFor(
  entity: TypedEntity,
  pools: EntityPools,
  longest: number,
  random: Random,
): (readonly number[])[] {
  const others = pools.othersLike(entity);
  random.shuffle(others);
  return [entity.ids, ...others.slice(0, longest - 1)];
}

/** Those that are not hidden already, wherever they stand, where a longer one of their note is. */
function withoutShortForms(entities: readonly Entity[]): Entity[] {
  const longestFirst = [...entities].sort((a, b) => b.ids.length - a.ids.length);
  const hidden = new Map<TextExample, Set<number>>();
  return longestFirst.filter(({ appearances }) => {
    const isNew = appearances.some(({ example, tokens }) =>
      tokens.some((token) => !hidden.get(example)?.has(token)),
    );
    for (const { example, tokens } of appearances) {
      const own = hidden.get(example) ?? new Set();
      for (const token of tokens) own.add(token);
      hidden.set(example, own);
    }
    return isNew;
  });
}

function placesOf({ ids, appearances }: Entity, vocabulary: Vocabulary): Place[] {
  return appearances.map(({ example, start = Number.NaN, tokens }) => {
    const words = tokens.map((token) => {
      const isWhole = token >= start && token < start + ids.length;
      return isWhole ? token - start : ids.indexOf(vocabulary.uncased(example.ids[token]));
    });
    const known = tokens.filter((_, i) => words[i] >= 0);
    return { example, tokens: known, words: words.filter((word) => word >= 0) };
  });
}
