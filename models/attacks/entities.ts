import { groupedBy } from '../../platform/grouped-by.js';
import { appearancesIn, isSharedWord } from '../certification/entity.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { TextExample } from '../training/data/examples.js';
import type { TraitReader, Traits } from './traits.js';

/** The same words, whatever their casing, labelled as one span, in one document. */
export interface Entity {
  readonly documentIndex: number;
  /** Of its words, as `Vocabulary.uncased`. */
  readonly ids: readonly number[];
  readonly appearances: readonly EntityAppearance[];
}

/** A sentence that holds an entity. */
export interface EntityAppearance {
  readonly example: TextExample;
  /** Where all of its words stand; undefined where some of them are PHI without the others. */
  readonly start?: number | undefined;
  /** Tokens that change where the entity is another one. */
  readonly tokens: readonly number[];
}

/** The entities of each document, as the certified bound cuts them. */
export function entitiesOf(examples: readonly TextExample[], vocabulary: Vocabulary): Entity[] {
  const isShared = (id: number) => isSharedWord(vocabulary.spelling(id) ?? '');
  const documents = groupedBy(examples, ({ documentIndex }) => documentIndex);
  return [...documents].flatMap(([documentIndex, own]) => {
    const sentences = own.map(({ ids, labels }) => ({
      labels,
      wordAt: (t: number) => vocabulary.uncased(ids[t]),
    }));
    const entities = new Map<string, Entity & { readonly appearances: EntityAppearance[] }>();
    for (const [i, appearances] of appearancesIn(sentences, isShared).entries()) {
      for (const { words, start, tokens } of appearances) {
        const entity = entities.get(`${words}`) ?? { documentIndex, ids: words, appearances: [] };
        entity.appearances.push({ example: own[i], start, tokens });
        entities.set(`${words}`, entity);
      }
    }
    return [...entities.values()];
  });
}

/** The traits of an entity: of its first token where it stands first, and in how many sentences it stands. */
export function entityTraits({ appearances }: Entity, reader: TraitReader): Traits {
  const { example, start, tokens } =
    appearances.find((each) => each.start !== undefined) ?? appearances[0];
  const sentences = appearances.length > 1 ? 'several sentences' : 'one sentence';
  return { ...reader.of(example, start ?? tokens[0]), sentences };
}
