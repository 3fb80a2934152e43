/**
 * What a coordinator of training together learns of the texts from the changes of weights that leave a holder:
 * which of two words stood in a note, which words were read, whose note was among them, which characters, which words where.
 */
import { backgroundOf } from '../models/attacks/updates/background.js';
import { charactersRead } from '../models/attacks/updates/characters-read.js';
import type { InversionConfig } from '../models/attacks/updates/gradient-inversion.js';
import { MatchedFilter } from '../models/attacks/updates/matched-filter.js';
import { textGradient } from '../models/attacks/updates/text-gradient.js';
import { phiWordsOf, type WordPair, wordPairs } from '../models/attacks/updates/word-pairs.js';
import { WordSpan } from '../models/attacks/updates/word-span.js';
import { type Candidates, findCandidates } from '../models/embeddings/candidates.js';
import type { Vocabulary } from '../models/embeddings/vocabulary.js';
import { LocalTraining } from '../models/federation/local-training.js';
import { changesOfAll, type WeightUpdate } from '../models/federation/weight-update.js';
import { spellingsOf } from '../models/networks/spellings.js';
import type { LabelledText, TextNetwork } from '../models/networks/text-network.js';
import { bootstrapIntervals, type Interval } from '../models/statistics/bootstrap.js';
import { type Estimate, estimate } from '../models/statistics/estimate.js';
import { meanOf } from '../models/statistics/mean-of.js';
import { areaUnder, rocCurve } from '../models/statistics/roc.js';
import type { Random } from '../models/tensor/random.js';
import {
  type InvertedWord,
  type InvertedWords,
  invertedWords,
  invertedWordsOf,
} from './inverted-words.js';
import { sentOf, simulatedUpdates, type UpdateSource, updateOf } from './sent-updates.js';
import type { Work } from './subject.js';

export interface UpdateAttackOptions extends UpdateSource {
  readonly vocabulary: Vocabulary;
  /** N of the pairs. */
  readonly neighbours: number;
  /** At most, of a text. */
  readonly pairs: number;
  /** Of a holder's texts so many are attacked, those that come first; all where left out. */
  readonly texts?: number;
  /** Updates of other texts that an attacker makes for itself. */
  readonly draws: number;
  /** How many updates are inverted, those that come first, and how; none where left out. */
  readonly inversion?: InversionConfig & { readonly updates: number };
}

export interface AttackedTexts {
  /** Those of each holder. */
  readonly holders: readonly (readonly LabelledText[])[];
  /** Of the same kind, with no holder. */
  readonly outsiders: readonly LabelledText[];
  /** Public ones, by which an attacker knows what updates are like. */
  readonly known: readonly LabelledText[];
}

export interface UpdateAttacks {
  /** How often the word that stood in a text was told from its neighbour, by who knows the rest of that text. */
  readonly told: Estimate;
  /** The same by updates of other texts: which of two gradients is longer tells something of its own. */
  readonly toldBlind: Estimate;
  readonly pairs: number;
  /** How often a word that stood in a holder's texts is ranked over a neighbour that stood in none, by who knows none. */
  readonly spanned: Estimate;
  /** The same by updates of other texts: what the words alone tell. */
  readonly spannedBlind: Estimate;
  readonly words: number;
  /** A text of the holder against one of nobody: area under the curve. */
  readonly membership: { readonly auc: number; readonly interval: Interval };
  /** Codes of characters that the texts had, how many of them were found, and how many that they had not. */
  readonly characters: {
    readonly there: number;
    readonly found: number;
    readonly wrong: number;
  } | null;
  /** Words that gradient inversion puts where they stood; null where no update was inverted. */
  readonly inverted: InvertedWords | null;
}

/** Attacks one update of each holder. Texts are told apart by their place among all of the holders'. */
export async function attackUpdates(
  { holders, outsiders, known }: AttackedTexts,
  options: UpdateAttackOptions,
  random: Random,
  work: Work,
): Promise<UpdateAttacks> {
  const { network, vocabulary, neighbours } = options;
  const { embeddings } = vocabulary;
  const words = phiWordsOf([...holders.flat(), ...outsiders], vocabulary);
  const candidates = await findCandidates(vocabulary, words, neighbours, work);
  const told: Scored[] = [];
  const toldBlind: Scored[] = [];
  const spanned: Scored[] = [];
  const spannedBlind: Scored[] = [];
  const members: Membership[] = [];
  const characters = { there: 0, found: 0, wrong: 0 };
  const inverted: InvertedWord[] = [];
  const invertedBlind: InvertedWord[] = [];
  let first = 0;
  for (const [i, texts] of holders.entries()) {
    const own = random.fork(`holder/${i}`);
    const simulated = await simulatedUpdates(
      { texts: texts.length, draws: options.draws },
      known,
      options,
      own,
      work,
    );
    const background = backgroundOf(simulated);
    const update = await updateOf(texts, options, own.fork('update'), work);
    // The attacker's own network has the weights that the epoch began with.
    loadInto(options);
    const filter = new MatchedFilter(update, background);
    const attacked = texts.slice(0, options.texts);
    const pairs = attacked.flatMap((text, t) =>
      wordPairs(text, first + t, vocabulary, candidates, options.pairs, own.fork(`pairs/${t}`)),
    );
    const blind = blindFilters(update, simulated);
    const scored = toldApart([filter, ...blind], pairs, network, work);
    told.push(
      ...scored.map(({ documentIndex, values }) => ({ documentIndex, value: values[0] ?? 0.5 })),
    );
    toldBlind.push(
      ...scored.map(({ documentIndex, values }) => ({
        documentIndex,
        value: meanOf(values.slice(1)),
      })),
    );
    spanned.push(...spannedWords(update, texts, first, candidates, options));
    const others = { values: background.mean };
    spannedBlind.push(...spannedWords(others, texts, first, candidates, options));
    members.push(...evidenceOf(filter, attacked, first, true, network));
    members.push(...evidenceOf(filter, outsiders, -1, false, network));
    const found = charactersRead(network, { values: changesOfAll(update, options.before.length) });
    const there = codesOf(texts);
    characters.there += there.size;
    for (const code of found) characters[there.has(code) ? 'found' : 'wrong']++;
    const { inversion } = options;
    if (inversion && i < inversion.updates) {
      const settings = { ...options, ...inversion, embeddings };
      const invert = (seen: WeightUpdate) => invertedWords(seen, texts, first, settings, own, work);
      inverted.push(...(await invert(update)));
      const [other] = simulated;
      if (other) invertedBlind.push(...(await invert(sentOf(update, other))));
    }
    first += texts.length;
    work.progress?.({
      step: 'attack updates',
      done: i + 1,
      total: holders.length,
      unit: 'holders',
    });
  }
  return {
    ...{ told: estimate(told), toldBlind: estimate(toldBlind), pairs: told.length },
    ...{ spanned: estimate(spanned), words: spanned.length },
    spannedBlind: estimate(spannedBlind),
    membership: membershipOf(members),
    characters: network.wordInputs.characters.length > 0 ? characters : null,
    inverted: invertedWordsOf(inverted, invertedBlind),
  };
}

interface Scored {
  readonly documentIndex: number;
  readonly value: number;
}
type Membership = {
  readonly documentIndex: number;
  readonly score: number;
  readonly real: boolean;
};

function loadInto({ network, training, before }: UpdateAttackOptions): void {
  new LocalTraining(network, [], training).load(before);
}

/** Of each simulated update by the others, where the update that left has its weights. */
function blindFilters(update: WeightUpdate, simulated: readonly Float32Array[]): MatchedFilter[] {
  return simulated.map((own, i) => {
    const others = simulated.filter((_, other) => other !== i);
    return new MatchedFilter(
      sentOf(update, own),
      backgroundOf(others.length > 0 ? others : simulated),
    );
  });
}

/** A step goes against the gradient, so that what a text did is looked for along its negative. */
function template(network: TextNetwork, text: LabelledText): Float32Array {
  return textGradient(network, text).map((each) => -each);
}

/** Of each pair by each filter: 1 where it takes the word that stood there, a half where it cannot say. */
function toldApart(
  filters: readonly MatchedFilter[],
  pairs: readonly WordPair[],
  network: TextNetwork,
  { signal }: Work,
): { readonly documentIndex: number; readonly values: readonly number[] }[] {
  const own = new Map<LabelledText, Float32Array>();
  return pairs.map(({ documentIndex, text, twin }) => {
    signal?.throwIfAborted();
    const stood = own.get(text) ?? template(network, text);
    own.set(text, stood);
    const other = template(network, twin);
    const values = filters.map((filter) => {
      const score = filter.likelier(stood, other);
      return score === 0 ? 0.5 : Number(score > 0);
    });
    return { documentIndex, values };
  });
}

/** Each PHI word of the texts once, against its nearest neighbour that is no word of theirs. */
function spannedWords(
  update: WeightUpdate,
  texts: readonly LabelledText[],
  first: number,
  candidates: Candidates,
  { network, vocabulary }: UpdateAttackOptions,
): Scored[] {
  const E = vocabulary.dimension;
  const span = new WordSpan(network, update, E);
  const there = new Set(
    texts.flat().flatMap(({ tokens }) => tokens.map(({ text }) => vocabulary.idOf(text))),
  );
  const score = (id: number) => span.score(vocabulary.vectors().slice(id * E, (id + 1) * E));
  const seen = new Set<number>();
  return texts.flatMap((text, t) =>
    [...phiWordsOf([text], vocabulary)].flatMap((word) => {
      if (seen.has(word)) return [];
      seen.add(word);
      const other = [...candidates.of(word)].find(
        (id) => !there.has(id) && vocabulary.wordOf(id) !== undefined,
      );
      if (other === undefined) return [];
      const [a, b] = [score(word), score(other)];
      return [{ documentIndex: first + t, value: a === b ? 0.5 : Number(a > b) }];
    }),
  );
}

function evidenceOf(
  filter: MatchedFilter,
  texts: readonly LabelledText[],
  first: number,
  real: boolean,
  network: TextNetwork,
): Membership[] {
  const step = real ? 1 : -1;
  return texts.map((text, t) => ({
    documentIndex: first + step * t,
    score: filter.evidence(template(network, text)),
    real,
  }));
}

const RESAMPLES = 1000;

function membershipOf(scored: readonly Membership[]): UpdateAttacks['membership'] {
  const auc = (sample: readonly Membership[]) => {
    const reals = sample.filter(({ real }) => real).length;
    return reals === 0 || reals === sample.length ? 0.5 : areaUnder(rocCurve(sample));
  };
  // An outsider stands beside the texts of every holder.
  const byText = new Map<number, Membership[]>();
  for (const each of scored)
    byText.set(each.documentIndex, [...(byText.get(each.documentIndex) ?? []), each]);
  const [interval] = bootstrapIntervals([...byText.values()], (sample) => [auc(sample.flat())], {
    seed: 1,
    resamples: RESAMPLES,
  });
  return { auc: auc(scored), interval: interval as Interval };
}

function codesOf(texts: readonly LabelledText[]): Set<number> {
  const { codes, lengths, steps } = spellingsOf(texts.flat().flatMap(({ tokens }) => tokens));
  return new Set(codes.filter((_, i) => i % steps < (lengths[Math.floor(i / steps)] as number)));
}
