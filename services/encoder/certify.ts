/**
 * What a release would reveal of the very names in it. Each PHI entity of a sentence is moved at all
 * its places there: every movable token is redrawn from its candidates, the same way wherever the
 * entity stands. Δ² of that pair is sampled over twins and input noise. All draws for a sentence and
 * an entity follow from the seed and from these two alone: whoever could have them drawn again would
 * have to wait for a low estimate only.
 *
 * The rule that withholds sentences looks at these charges, so it must be asked what it would have
 * done with the twin's text. For some twins a second move, of the twin itself, gives the charge that
 * the encoder would have seen had the twin been the text.
 */
import { setImmediate } from 'node:timers/promises';
import { type Candidates, findCandidates } from '../../models/embeddings/candidates.js';
import type { Progress } from '../../models/progress.js';
import type { Random } from '../../models/tensor/random.js';
import { type Charge, chargeOf, DRAWS } from './charge.js';
import { Comparisons, measure } from './comparisons.js';
import type { EncodingModel } from './encoding-model.js';
import type { Mention, Sentence } from './sentence.js';

/** How many twins are moved again, and how often each. */
export const TWINS = 4;
const MOVES_A_TWIN = 4;
/** Sentences whose twins are held in memory at one time. */
const CHUNK_SENTENCES = 32;

/** What one sentence reveals of one entity. */
export interface EntityCharge extends Charge {
  readonly entity: string;
  /** [TWINS]: E[Δ²] of moving each twin, from a few draws. */
  readonly twins: readonly number[];
}

export interface Certificate {
  /** By sentence, one charge for each entity in it. */
  readonly charges: readonly (readonly EntityCharge[])[];
  /** By entity, the names that its twins have: [TWINS]. */
  readonly twinNames: ReadonlyMap<string, readonly string[]>;
  /** Tokens of PHI that have nothing to move to; of these nothing is certified. */
  readonly immovable: number;
}

export interface CertifyOptions {
  /** N, the candidates of a moved word. */
  readonly neighbours: number;
  /** Names an entity by its words. */
  readonly nameOf: (words: readonly string[]) => string;
  /** Names a sentence by its index, the same in every job. */
  readonly keyOf: (index: number) => string;
  /** Draws of twin and noise a charge, `DRAWS` or more. */
  readonly draws?: number | undefined;
  readonly random: Random;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** An entity of a sentence, at all its places there. */
interface Place {
  readonly sentence: Sentence;
  readonly key: string;
  readonly entity: string;
  readonly mentions: readonly Mention[];
}

/** Draws of Δ² of a place: of its own moves [draws] and of those of its twins [TWINS · MOVES_A_TWIN]. */
interface Account {
  readonly entity: string;
  readonly own: Float64Array;
  readonly again: Float64Array;
}

/** Charges every entity of every sentence. */
export async function certify(
  sentences: readonly Sentence[],
  model: Pick<EncodingModel, 'representation' | 'vocabulary'>,
  options: CertifyOptions,
): Promise<Certificate> {
  const { neighbours, nameOf, keyOf, draws = DRAWS, random, signal, progress } = options;
  const { vocabulary } = model;
  const places = sentences.map((sentence, index) => {
    const key = keyOf(index);
    const entities = [...byEntity(sentence, nameOf)];
    return entities.map(([entity, mentions]): Place => ({ sentence, key, entity, mentions }));
  });
  const phi = phiRows(sentences);
  const candidates = await findCandidates(vocabulary, phi, neighbours, { signal });
  // The first twins are the same in all sentences of the entity: the rule is asked about those.
  const twinOf = ({ sentence, key, entity, mentions }: Place, i: number) => {
    const stream = random.fork(i < TWINS ? `${entity} ${i}` : `${entity} ${i} ${key}`);
    return move(sentence.rows, mentions, candidates, stream);
  };
  const { names, rows } = await twinsOf(places.flat(), twinOf, options, model);
  const further = await findCandidates(vocabulary, rows, neighbours, { signal });

  const charges: EntityCharge[][] = [];
  for (let from = 0; from < places.length; from += CHUNK_SENTENCES) {
    const comparisons: Comparisons[] = [];
    const chunk = sentences.slice(from, from + CHUNK_SENTENCES).map(({ rows: ids }, index) => {
      const entities = places[from + index] ?? [];
      const accounts = entities.map(({ entity }): Account => {
        const again = new Float64Array(TWINS * MOVES_A_TWIN);
        return { entity, own: new Float64Array(draws), again };
      });
      for (let at = 0; at < draws && entities.length > 0; at++) {
        const noise = random.fork(`noise ${at} ${keyOf(from + index)}`);
        const draw = new Comparisons(ids.length, noise);
        const text = draw.add(ids);
        for (const [i, place] of entities.entries()) {
          const { own, again } = accounts[i] as Account;
          const moved = twinOf(place, at);
          const twin = draw.compare(text, moved, { squared: own, at });
          if (at >= TWINS) continue;
          for (let j = at * MOVES_A_TWIN; j < (at + 1) * MOVES_A_TWIN; j++) {
            const stream = random.fork(`${place.entity} again ${j}`);
            const squared = { squared: again, at: j };
            draw.compare(twin, move(moved, place.mentions, further, stream), squared);
          }
        }
        comparisons.push(draw);
      }
      return accounts;
    });
    await measure(comparisons, model, signal);
    for (const entities of chunk)
      charges.push(
        entities.map(({ entity, own, again }) => ({
          entity,
          ...chargeOf(own),
          twins: means(again),
        })),
      );
    progress?.({
      step: 'certify',
      done: charges.length,
      total: sentences.length,
      unit: 'sentences',
    });
  }
  const immovable = phi.filter((id) => !candidates.isMovable(id)).length;
  return { charges, twinNames: names, immovable };
}

/** The names of the first twins of each entity, and all vocabulary ids in those twins. */
async function twinsOf(
  places: readonly Place[],
  twinOf: (place: Place, i: number) => Int32Array,
  { nameOf }: Pick<CertifyOptions, 'nameOf'>,
  model: Pick<EncodingModel, 'vocabulary'>,
): Promise<{ names: Map<string, string[]>; rows: Set<number> }> {
  const names = new Map<string, string[]>();
  const rows = new Set<number>();
  for (const [index, place] of places.entries()) {
    if (index % CHUNK_SENTENCES === 0) await setImmediate();
    const { entity, sentence, mentions } = place;
    const own: string[] = [];
    for (let i = 0; i < TWINS; i++) {
      const twin = twinOf(place, i);
      for (const { start, end } of mentions)
        for (const id of twin.subarray(start, end)) rows.add(id);
      own.push(nameOf(wordsOf(twin, sentence, mentions[0] as Mention, model)));
    }
    if (!names.has(entity)) names.set(entity, own);
  }
  return { names, rows };
}

/** [TWINS · MOVES_A_TWIN] to [TWINS]. */
function means(draws: Float64Array): number[] {
  return Array.from({ length: TWINS }, (_, twin) => {
    const own = draws.subarray(twin * MOVES_A_TWIN, (twin + 1) * MOVES_A_TWIN);
    return own.reduce((sum, value) => sum + value, 0) / MOVES_A_TWIN;
  });
}

function byEntity(
  { mentions }: Sentence,
  nameOf: (words: readonly string[]) => string,
): Map<string, Mention[]> {
  const entities = new Map<string, Mention[]>();
  for (const mention of mentions) {
    const entity = nameOf(mention.words);
    entities.set(entity, [...(entities.get(entity) ?? []), mention]);
  }
  return entities;
}

/** Redraws every movable token of the mentions, each mention with the same draws. */
function move(
  rows: Int32Array,
  mentions: readonly Mention[],
  candidates: Candidates,
  random: Random,
): Int32Array {
  const twin = rows.slice();
  const draws = random.uniforms(Math.max(...mentions.map(({ start, end }) => end - start)));
  for (const { start, end } of mentions) {
    for (let t = start; t < end; t++) {
      const integer = (n: number) => Math.floor(n * (draws[t - start] as number));
      twin[t] = candidates.draw(rows[t] as number, { integer });
    }
  }
  return twin;
}

function wordsOf(
  twin: Int32Array,
  { rows }: Sentence,
  { start, end, words }: Mention,
  { vocabulary }: Pick<EncodingModel, 'vocabulary'>,
): string[] {
  return words.slice(0, end - start).map((word, i) => {
    const id = twin[start + i] as number;
    if (id === rows[start + i]) return word;
    // A vector that stands for many words has the spelling of none.
    return vocabulary.wordOf(id)?.toLowerCase() ?? vocabulary.key(id);
  });
}

function phiRows(sentences: readonly Sentence[]): number[] {
  return sentences.flatMap(({ rows, mentions }) =>
    mentions.flatMap(({ start, end }) => [...rows.subarray(start, end)]),
  );
}
