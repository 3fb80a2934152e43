/**
 * What a release would reveal of the very names in it. Each PHI entity of a sentence is moved at all
 * its places there: every movable token is redrawn from its candidates, the same way wherever the
 * entity stands. Δ² of that pair is sampled over twins and input noise.
 *
 * The rule that withholds sentences looks at these charges, so it must be asked what it would have
 * done with the twin's text. For some twins a second move, of the twin itself, gives the charge that
 * the encoder would have seen had the twin been the text.
 */
import { setImmediate } from 'node:timers/promises';
import { type Candidates, findCandidates } from '../../models/embeddings/candidates.js';
import type { Progress } from '../../models/progress.js';
import { Random } from '../../models/tensor/random.js';
import * as tf from '../../models/tensor/tf.js';
import { paddedIds } from '../../models/training/batch.js';
import { squaredDistances } from '../../models/training/certified.js';
import { type Charge, chargeOf, DRAWS } from './charge.js';
import type { EncodingModel } from './encoding-model.js';
import type { Mention, Sentence } from './sentence.js';

/** How many twins are moved again, and how often each. */
export const TWINS = 4;
const MOVES_A_TWIN = 4;
/** Pairs in one forward pass: short enough for a server to answer in between. */
const BATCH_PAIRS = 64;
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
  /** Draws of twin and noise a charge, `DRAWS` or more. */
  readonly draws?: number | undefined;
  readonly random: Random;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** An entity of a sentence, at all its places there. */
interface Place {
  readonly sentence: Sentence;
  readonly entity: string;
  readonly mentions: readonly Mention[];
}

interface Pair {
  readonly rows: Int32Array;
  readonly twin: Int32Array;
  readonly draws: Float64Array;
  readonly at: number;
}

/** Charges every entity of every sentence. */
export async function certify(
  sentences: readonly Sentence[],
  model: Pick<EncodingModel, 'representation' | 'vocabulary'>,
  options: CertifyOptions,
): Promise<Certificate> {
  const { neighbours, nameOf, draws = DRAWS, random, signal, progress } = options;
  const { vocabulary } = model;
  const places = sentences.map((sentence) =>
    [...byEntity(sentence, nameOf)].map(([entity, mentions]) => ({ sentence, entity, mentions })),
  );
  const phi = phiRows(sentences);
  const candidates = await findCandidates(vocabulary, phi, neighbours, { signal });
  const twinOf = ({ sentence, entity, mentions }: Place, i: number) =>
    move(sentence.rows, mentions, candidates, random.fork(`${entity} ${i}`));
  const { names, rows } = await twinsOf(places.flat(), twinOf, options, model);
  const further = await findCandidates(vocabulary, rows, neighbours, { signal });

  const charges: EntityCharge[][] = [];
  const noise = random.fork('noise');
  for (let from = 0; from < places.length; from += CHUNK_SENTENCES) {
    const pairs: Pair[] = [];
    const chunk = places.slice(from, from + CHUNK_SENTENCES).map((entities) =>
      entities.map((place) => {
        const own = new Float64Array(draws);
        const again = new Float64Array(TWINS * MOVES_A_TWIN);
        for (let at = 0; at < draws; at++) {
          const twin = twinOf(place, at);
          pairs.push({ rows: place.sentence.rows, twin, draws: own, at });
          for (let i = at * MOVES_A_TWIN; at < TWINS && i < (at + 1) * MOVES_A_TWIN; i++) {
            const stream = random.fork(`${place.entity} again ${i}`);
            const moved = move(twin, place.mentions, further, stream);
            pairs.push({ rows: twin, twin: moved, draws: again, at: i });
          }
        }
        return { entity: place.entity, own, again };
      }),
    );
    await measure(pairs, model, noise, signal);
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

/** Fills in Δ² of each pair, one draw of the noise each. */
async function measure(
  pairs: readonly Pair[],
  { representation, vocabulary }: Pick<EncodingModel, 'representation' | 'vocabulary'>,
  noise: Random,
  signal: AbortSignal | undefined,
): Promise<void> {
  const moving = pairs.filter(({ rows, twin }) => rows.some((id, t) => id !== twin[t]));
  moving.sort((a, b) => a.rows.length - b.rows.length);
  for (let from = 0; from < moving.length; from += BATCH_PAIRS) {
    signal?.throwIfAborted();
    const batch = moving.slice(from, from + BATCH_PAIRS);
    const lengths = Int32Array.from(batch, ({ rows }) => rows.length);
    const steps = Math.max(...lengths);
    const embed = (side: 'rows' | 'twin') => {
      const ids = batch.map((pair) => pair[side]);
      return representation.embed(vocabulary, paddedIds(ids, steps), steps);
    };
    const squared = tf.tidy(() =>
      squaredDistances(representation, embed('rows'), embed('twin'), lengths, noise),
    );
    // Outside of tidy, which would look for tensors in every single number.
    const values = squared.dataSync<'float32'>();
    squared.dispose();
    for (const [i, { draws, at }] of batch.entries()) draws[at] = values[i] as number;
    await setImmediate();
  }
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
  const state = random.save();
  for (const { start, end } of mentions) {
    const same = Random.restore(state);
    for (let t = start; t < end; t++) twin[t] = candidates.draw(rows[t] as number, same);
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
