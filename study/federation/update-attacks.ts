/**
 * What a coordinator of training together learns of the texts from the changes of weights that leave a holder:
 * which of two words stood in a note, which words were read, whose note was among them, which characters, which words where.
 */
import { backgroundOf } from '../../models/attacks/updates/background.js';
import { charactersRead } from '../../models/attacks/updates/characters-read.js';
import type { InversionConfig } from '../../models/attacks/updates/gradient-inversion.js';
import type { HeldText } from '../../models/attacks/updates/held-text.js';
import {
  type InvertedWord,
  type InvertedWords,
  invertedWords,
  invertedWordsOf,
} from '../../models/attacks/updates/inverted-words.js';
import { MatchedFilter } from '../../models/attacks/updates/matched-filter.js';
import { spannedWords } from '../../models/attacks/updates/spanned-words.js';
import {
  evidenceOf,
  type TextMembership,
  textMembership,
} from '../../models/attacks/updates/text-membership.js';
import { type ToldWord, toldWords } from '../../models/attacks/updates/told-words.js';
import { phiWordsOf, wordPairs } from '../../models/attacks/updates/word-pairs.js';
import { type Candidates, findCandidates } from '../../models/embeddings/candidates.js';
import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { loadFlat } from '../../models/federation/flat-weights.js';
import { changesOfAll, sentOf, type WeightUpdate } from '../../models/federation/weight-update.js';
import { spellingsOf } from '../../models/networks/spellings.js';
import type { LabelledText } from '../../models/networks/text-network.js';
import { type Estimate, estimate, type Observation } from '../../models/statistics/estimate.js';
import { meanOf } from '../../models/statistics/mean-of.js';
import type { ScoredPair } from '../../models/statistics/roc.js';
import type { Random } from '../../models/tensor/random.js';
import type { Work } from '../runs/subject.js';
import { type EpochTexts, simulatedUpdates, type UpdateSource, updateOf } from './sent-updates.js';

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
  readonly inversion?: (InversionConfig & { readonly updates: number }) | undefined;
}

export interface AttackedTexts {
  /** Those of each holder. */
  readonly holders: readonly (readonly LabelledText[])[];
  /** Of the same kind, with no holder. */
  readonly outsiders: readonly LabelledText[];
  /** Public ones, by which an attacker knows what updates are like. */
  readonly known: readonly LabelledText[];
  /** Where epochs have copies: of each holder's texts, and of the known ones, in their order. */
  readonly copies?: {
    readonly holders: readonly (readonly LabelledText[])[];
    readonly known: readonly LabelledText[];
  };
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
  readonly membership: TextMembership;
  /** Null for a network that reads no characters. */
  readonly characters: CharacterCounts | null;
  /** Words that gradient inversion puts where they stood; null where no update was inverted. */
  readonly inverted: InvertedWords | null;
}

/** Codes of characters that texts had, how many of them were found, and how many that they had not. */
export interface CharacterCounts {
  readonly there: number;
  readonly found: number;
  readonly wrong: number;
}

/** Attacks one update of each holder. Texts are told apart by their place among all of the holders'. */
export async function attackUpdates(
  { holders, outsiders, known, copies }: AttackedTexts,
  options: UpdateAttackOptions,
  random: Random,
  work: Work,
): Promise<UpdateAttacks> {
  const { network, vocabulary, neighbours } = options;
  const words = phiWordsOf([...holders.flat(), ...outsiders], vocabulary);
  const others = {
    candidates: await findCandidates(vocabulary, words, neighbours, work),
    outsiders: outsiders.map((text, t) => ({ documentIndex: -1 - t, text })),
    known: { texts: known, copy: copies?.known },
  };
  const findings: Findings[] = [];
  let first = 0;
  for (const [i, texts] of holders.entries()) {
    const held = texts.map((text, t) => ({ documentIndex: first + t, text }));
    first += texts.length;
    const inversions = options.inversion?.updates ?? 0;
    const own = random.fork(`holder/${i}`);
    const given = i < inversions ? options : { ...options, inversion: undefined };
    const copy = copies?.holders[i];
    findings.push(await attackHolder({ held, copy }, others, given, own, work));
    work.progress?.({
      ...{ step: 'attack updates', unit: 'holders' },
      ...{ done: i + 1, total: holders.length },
    });
  }
  const told = findings.flatMap((each) => each.told);
  const spanned = findings.flatMap((each) => each.spanned);
  return {
    ...toldEstimates(told),
    ...{ spanned: estimate(spanned), words: spanned.length },
    spannedBlind: estimate(findings.flatMap((each) => each.spannedBlind)),
    membership: textMembership(findings.flatMap((each) => each.membership)),
    characters: network.wordInputs.characters.length > 0 ? characterCounts(findings) : null,
    inverted: invertedWordsOf(
      findings.flatMap((each) => each.inverted),
      findings.flatMap((each) => each.invertedBlind),
    ),
  };
}

/** Texts that an attacker has besides those of the holder. */
interface OtherTexts {
  readonly known: EpochTexts;
  readonly outsiders: readonly HeldText[];
  /** Of all PHI words of holders and outsiders. */
  readonly candidates: Candidates;
}

/** Of one update; blind ones by updates of other texts. */
interface Findings {
  /** By the update, then by each simulated one. */
  readonly told: readonly ToldWord[];
  readonly spanned: readonly Observation[];
  readonly spannedBlind: readonly Observation[];
  readonly membership: readonly ScoredPair[];
  readonly characters: CharacterCounts;
  readonly inverted: readonly InvertedWord[];
  readonly invertedBlind: readonly InvertedWord[];
}

async function attackHolder(
  { held, copy }: { readonly held: readonly HeldText[]; readonly copy: EpochTexts['copy'] },
  { outsiders, known, candidates }: OtherTexts,
  options: UpdateAttackOptions,
  random: Random,
  work: Work,
): Promise<Findings> {
  const { network, vocabulary, before, draws } = options;
  const texts = held.map(({ text }) => text);
  const size = { texts: texts.length, draws };
  const simulated = await simulatedUpdates(size, known, options, random, work);
  const update = await updateOf({ texts, copy }, options, random.fork('update'), work);
  // The attacker's own network has the weights that the epoch began with.
  loadFlat(network.parameters, before);
  const background = backgroundOf(simulated);
  const filter = new MatchedFilter(update, background);
  const attacked = held.slice(0, options.texts);
  const pairs = attacked.flatMap(({ documentIndex, text }, t) =>
    wordPairs(
      text,
      documentIndex,
      vocabulary,
      candidates,
      options.pairs,
      random.fork(`pairs/${t}`),
    ),
  );
  const filters = [filter, ...blindFilters(update, simulated)];
  const spannedBy = (seen: WeightUpdate) =>
    spannedWords(network, seen, held, vocabulary, candidates);
  const invertedBy = (seen: WeightUpdate | undefined) =>
    invertedWordsBy(seen, held, options, random, work);
  const members = evidenceOf(filter, attacked, network);
  const fakes = evidenceOf(filter, outsiders, network);
  const [other] = simulated;
  return {
    told: toldWords(filters, pairs, network, work.signal),
    spanned: spannedBy(update),
    spannedBlind: spannedBy(sentOf(update, background.mean)),
    membership: [
      ...members.map((each) => ({ ...each, real: true })),
      ...fakes.map((each) => ({ ...each, real: false })),
    ],
    characters: charactersFound(update, texts, options),
    inverted: await invertedBy(update),
    invertedBlind: await invertedBy(other && sentOf(update, other)),
  };
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

/** None where no update is inverted, or none was seen. */
async function invertedWordsBy(
  seen: WeightUpdate | undefined,
  held: readonly HeldText[],
  { network, training, vocabulary, inversion }: UpdateAttackOptions,
  random: Random,
  { signal }: Work,
): Promise<InvertedWord[]> {
  if (!inversion || !seen) return [];
  const settings = { network, training, embeddings: vocabulary.embeddings, ...inversion };
  return invertedWords(seen, held, settings, random, signal);
}

function charactersFound(
  update: WeightUpdate,
  texts: readonly LabelledText[],
  { network, before }: UpdateAttackOptions,
): CharacterCounts {
  const there = codesOf(texts);
  const read = charactersRead(network, { values: changesOfAll(update, before.length) });
  const found = [...read].filter((code) => there.has(code)).length;
  return { there: there.size, found, wrong: read.size - found };
}

function codesOf(texts: readonly LabelledText[]): Set<number> {
  const { codes, lengths, steps } = spellingsOf(texts.flat().flatMap(({ tokens }) => tokens));
  return new Set(codes.filter((_, i) => i % steps < (lengths[Math.floor(i / steps)] as number)));
}

function characterCounts(findings: readonly Findings[]): CharacterCounts {
  const sum = (count: keyof CharacterCounts) =>
    findings.reduce((total, { characters }) => total + characters[count], 0);
  return { there: sum('there'), found: sum('found'), wrong: sum('wrong') };
}

function toldEstimates(
  told: readonly ToldWord[],
): Pick<UpdateAttacks, 'told' | 'toldBlind' | 'pairs'> {
  const by = (value: (values: readonly number[]) => number) =>
    estimate(told.map(({ documentIndex, values }) => ({ documentIndex, value: value(values) })));
  return {
    told: by(([own]) => own as number),
    toldBlind: by(([, ...others]) => meanOf(others)),
    pairs: told.length,
  };
}
