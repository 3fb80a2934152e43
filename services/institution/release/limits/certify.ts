/**
 * What a release would reveal of the very names in it. Each PHI entity of a sentence is moved wherever
 * it stands there, every movable token to one of its candidates, the same one for a word everywhere.
 * Δ² of that pair is measured for sampled twins, each with input noise of its own. All draws follow
 * from the seed, from the words and from the sentence alone: whoever could have them drawn again would
 * have to wait for a low estimate only.
 */
import { setImmediate } from 'node:timers/promises';
import { shorterForms } from '../../../../models/certification/entity.js';
import { moveEntity } from '../../../../models/certification/move.js';
import { type Candidates, findCandidates } from '../../../../models/embeddings/candidates.js';
import type { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import type { Random } from '../../../../models/tensor/random.js';
import type { Progress } from '../../../../platform/progress.js';
import type { EncodingModel } from '../../bundles/encoding-model.js';
import type { Mention, Sentence } from '../sentences/sentence.js';
import { type Charge, TWINS } from './charge.js';
import { Comparisons, measure } from './comparisons.js';
import { type Moves, NameMoves, type Place } from './moves.js';

/** Sentences whose twins are held in memory at one time. */
const CHUNK_SENTENCES = 32;

/** What one sentence reveals of one entity. */
export interface EntityCharge extends Charge {
  readonly entity: string;
  /** Tokens of the sentence where all of its words stand; none where only some of them are PHI there. */
  readonly whole: readonly number[];
}

export interface Certificate {
  /** By sentence, one charge for each entity in it. */
  readonly charges: readonly (readonly EntityCharge[])[];
  readonly moves: Moves;
  /** By entity, the names of its shorter forms. */
  readonly formsOf: ReadonlyMap<string, readonly string[]>;
  /** Tokens of PHI that have nothing to move to; of these nothing is certified. */
  readonly immovable: number;
  /** Entities all of whose words are such. */
  readonly immovableEntities: ReadonlySet<string>;
}

export interface CertifyOptions {
  /** N, the candidates of a moved word. */
  readonly neighbours: number;
  /** Names an entity by its words. */
  readonly nameOf: (words: readonly string[]) => string;
  /** Names a sentence by its index, the same in every job. */
  readonly keyOf: (index: number) => string;
  readonly twins?: number | undefined;
  readonly random: Random;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** Charges every entity of every sentence. */
export async function certify(
  sentences: readonly Sentence[],
  model: Pick<EncodingModel, 'representation' | 'vocabulary'>,
  options: CertifyOptions,
): Promise<Certificate> {
  const { neighbours, nameOf, keyOf, twins = TWINS, random, signal, progress } = options;
  const { vocabulary } = model;
  const places = sentences.map(({ mentions }) => placesOf(mentions, nameOf));
  const phi = sentences.flatMap(({ rows, labels }) => [...rows].filter((_, t) => labels[t] !== 0));
  const candidates = await findCandidates(vocabulary, phi, neighbours, { signal });
  const twinWord = twinWords(vocabulary, candidates, random);

  const charges: EntityCharge[][] = [];
  for (let from = 0; from < places.length; from += CHUNK_SENTENCES) {
    const comparisons: Comparisons[] = [];
    for (const [i, { rows }] of sentences.slice(from, from + CHUNK_SENTENCES).entries()) {
      const entities = places[from + i] ?? [];
      const own = entities.map(({ entity, mention: { whole } }): EntityCharge => {
        return { entity, whole, squared: new Float64Array(twins) };
      });
      charges.push(own);
      for (let at = 0; at < twins && entities.length > 0; at++) {
        const draw = new Comparisons(rows.length, random.fork(`noise ${at} ${keyOf(from + i)}`));
        const text = draw.add(rows);
        for (const [j, { squared }] of own.entries()) {
          const { tokens } = (entities[j] as Place).mention;
          draw.compare(text, moveEntity(rows, tokens, twinWord(at)), { squared, at });
        }
        comparisons.push(draw);
      }
    }
    await measure(comparisons, model, signal);
    progress?.({
      step: 'certify',
      done: charges.length,
      total: sentences.length,
      unit: 'sentences',
    });
  }
  const immovable = phi.filter((id) => !candidates.isMovable(id)).length;
  const names = await namesOf(sentences, places, twinWord, { nameOf, twins }, vocabulary);
  return {
    charges,
    ...names,
    immovable,
    immovableEntities: whatStays(sentences, places, candidates),
  };
}

function whatStays(
  sentences: readonly Sentence[],
  places: readonly (readonly Place[])[],
  candidates: Candidates,
): Set<string> {
  const all = new Set<string>();
  const movable = new Set<string>();
  for (const [i, { rows }] of sentences.entries())
    for (const { entity, mention } of places[i] ?? []) {
      all.add(entity);
      if (mention.tokens.some((token) => candidates.isMovable(rows[token] as number)))
        movable.add(entity);
    }
  return new Set([...all].filter((entity) => !movable.has(entity)));
}

/** One for each name: where two notes share a sentence, an entity may stand in it twice over. */
function placesOf(mentions: readonly Mention[], nameOf: CertifyOptions['nameOf']): Place[] {
  const places = new Map<string, Place>();
  for (const mention of mentions) {
    const entity = nameOf(mention.words);
    const known = places.get(entity)?.mention;
    const both = (of: 'tokens' | 'whole') => [...new Set([...(known?.[of] ?? []), ...mention[of]])];
    const start = known?.start ?? mention.start;
    const joined = { ...mention, start, whole: both('whole'), tokens: both('tokens') };
    places.set(entity, { entity, mention: joined });
  }
  return [...places.values()];
}

/** What a word becomes in a twin, the same wherever it stands and whatever entity it belongs to. */
function twinWords(vocabulary: Vocabulary, candidates: Candidates, random: Random) {
  const known = new Map<number, Map<number, number>>();
  return (twin: number) => {
    const words = known.get(twin) ?? new Map<number, number>();
    known.set(twin, words);
    return (id: number): number => {
      const before = words.get(id);
      if (before !== undefined) return before;
      const stream = random.fork(`twin ${twin} ${vocabulary.key(id)}`);
      const integer = (n: number) => Math.floor(n * (stream.uniforms(1)[0] as number));
      const word = candidates.draw(id, { integer });
      words.set(id, word);
      return word;
    };
  };
}

async function namesOf(
  sentences: readonly Sentence[],
  places: readonly (readonly Place[])[],
  twinWord: ReturnType<typeof twinWords>,
  { nameOf, twins }: { readonly nameOf: CertifyOptions['nameOf']; readonly twins: number },
  vocabulary: Vocabulary,
): Promise<Pick<Certificate, 'moves' | 'formsOf'>> {
  const found = new NameMoves({ nameOf, twins });
  const formsOf = new Map<string, readonly string[]>();
  for (const [index, { rows }] of sentences.entries()) {
    if (index % CHUNK_SENTENCES === 0) await setImmediate();
    const own = places[index] ?? [];
    for (const { entity, mention } of own)
      if (!formsOf.has(entity)) formsOf.set(entity, shorterForms(mention.words).map(nameOf));
    const twinOf = (token: number, twin: number) => {
      const id = rows[token] as number;
      const other = twinWord(twin)(id);
      if (other === id) return undefined;
      // A vector that stands for many words has the spelling of none.
      return vocabulary.spelling(other)?.toLowerCase() ?? vocabulary.key(other);
    };
    found.add(own, twinOf);
  }
  return { moves: found.moves, formsOf };
}

/** Whether all words of the entity stand in the sentence. */
export function isWhole({ whole }: Pick<EntityCharge, 'whole'>): boolean {
  return whole.length > 0;
}
