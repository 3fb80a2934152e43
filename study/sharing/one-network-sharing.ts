import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Tagger } from '../../models/networks/tagger.js';
import { vocabularyFor } from '../../models/networks/vocabulary-for.js';
import { Random } from '../../models/tensor/random.js';
import type { Document } from '../../models/text/document.js';
import {
  type PartlyReadExample,
  type TextExample,
  textExamples,
  type VectorExample,
} from '../../models/training/data/examples.js';
import { byWords, shareByWords } from '../../models/training/data/own-text.js';
import { joinTurns, mapTurns, type Turns } from '../../models/training/data/turns.js';
import { inMemory, trainOnBoth } from '../../models/training/supervised.js';
import { releaseOnce } from '../measures/released-sentences.js';
import { type SharedSentences, sharedSentences } from '../runs/shared-sentences.js';
import type { Work } from '../runs/subject.js';
import type { MatrixMaterial, MatrixOptions } from './matrix.js';
import { termsOf, treatment } from './pooled-sharing.js';
import { readersOf } from './readers.js';
import type { LearnedWay, SharingOptions } from './sharing-result.js';
import { copiesOf, type OneNetworkWay, sharedIn, sharingName } from './sharing-way.js';
import { type SiteScores, scoresBySite } from './site-scores.js';

/**
 * Every place trains one network: on what the others released, and on its own text and the provider's, which is public,
 * whose words it reads beside the vectors. What leaves a place is what it releases; the network stays. A place that
 * nobody trains on has one of the provider's text and all releases.
 */
export async function learnFromBoth(
  way: OneNetworkWay,
  material: MatrixMaterial,
  options: SharingOptions,
  work: Work,
): Promise<LearnedWay> {
  const shares = sharedIn(way);
  const parts = { ...options, ...(await treatment(shares, material, options, work)) };
  const notes = new SharedNotes(way, material, parts, work);
  const sites: Record<string, SiteScores> = {};
  for (const [own, places] of readersOf(options)) {
    const tagger = await notes.learn(own);
    try {
      Object.assign(sites, scoresBySite(tagger, places, work));
    } finally {
      tagger.deidentifier.dispose();
    }
  }
  await notes.forget();
  return { ...termsOf(shares, material, parts, work), sites };
}

type Parts = SharingOptions & Pick<MatrixOptions, 'treated' | 'copied'>;
type Read = Record<keyof Pick<SharedSentences, 'train' | 'validation'>, PartlyReadExample[]> & {
  readonly turns: Turns<PartlyReadExample>;
};

/** The notes of all places: as each reads its own, and as the others have them. */
class SharedNotes {
  readonly #vocabulary;
  readonly #files = new Set<string>();
  /** By place, encoded once. */
  readonly #released = new Map<string, Promise<Read>>();

  constructor(
    readonly way: OneNetworkWay,
    readonly material: MatrixMaterial,
    readonly parts: Parts,
    readonly work: Work,
  ) {
    const { config } = way.through.representation;
    this.#vocabulary = vocabularyFor(material.embeddings, parts.config.deidentifier, config);
  }

  /** A network of the text of places and of what the others released. To be disposed of. */
  async learn(places: readonly string[]): Promise<Tagger> {
    const { config, sites } = this.parts;
    const { representation } = this.way.through;
    const { scheme } = this.material;
    const vocabulary = this.#vocabulary;
    const own = await this.#ownOf(places);
    const others: Read[] = [];
    for (const { name } of sites)
      if (!places.includes(name)) others.push(await this.#releasedBy(name));
    const all = [own, ...others];
    const split = {
      train: all.flatMap(({ train }) => train),
      validation: all.flatMap(({ validation }) => validation),
      turns: joinTurns(all.map(({ turns }) => turns)),
    };
    const { deidentifier } = await trainOnBoth(
      inMemory<PartlyReadExample>(split, config.batchSentences),
      vocabulary,
      representation.config.dimension,
      scheme.labels.length,
      config,
      { ...this.work, random: new Random(config.seed).fork(`text of ${places.join(' and ')}`) },
    );
    return { deidentifier, vocabulary, scheme, representation };
  }

  /** Removes what was encoded. */
  async forget(): Promise<void> {
    for (const file of this.#files) await rm(file, { force: true });
  }

  #releasedBy(name: string): Promise<Read> {
    const known = this.#released.get(name);
    if (known) return known;
    const released = this.#encoded([name], this.parts, copiesOf(this.way, this.parts.copies), '');
    this.#released.set(name, released);
    return released;
  }

  /**
   * Text as it is, with its words, and copies of it; of the provider's, which the representation learned from, a share by
   * words alone. Its vectors stay where the text is.
   */
  async #ownOf(places: readonly string[]): Promise<Read> {
    const { treated, ...asTheyAre } = this.parts;
    const copied = { scheme: this.material.scheme, language: this.parts.language };
    return this.#encoded(places, { ...asTheyAre, copied }, { provider: 1, sites: 1 }, 'text of ');
  }

  async #encoded(
    places: readonly string[],
    notes: Parts,
    copies: Parts['copies'],
    kind: '' | 'text of ',
  ): Promise<Read> {
    const vocabulary = this.#vocabulary;
    const { config, directory } = this.parts;
    const random = new Random(config.seed);
    const share = shareByWords(places.length > 1);
    const draws = random.fork('by words');
    const wordsAlone = new Set<TextExample>();
    const examplesOf = (documents: readonly Document[]) =>
      textExamples(documents, this.material.scheme, vocabulary);
    const reading = {
      known: (documents: readonly Document[]) => {
        const examples = examplesOf(documents);
        for (const example of examples) if (draws.uniform() < share) wordsAlone.add(example);
        return examples;
      },
      own: async (documents: readonly Document[]) => examplesOf(documents),
    };
    const { train, validation, turns } = await sharedSentences(
      { ...notes, copies },
      reading,
      random,
      places,
    );
    const name = `${sharingName(this.way)} ${kind}${places.join(' and ')}-seed-${config.seed}`;
    const file = path.join(directory, `${name}.float16`);
    this.#files.add(file);
    const examples = [...train, ...validation];
    const { representation } = this.way.through;
    const vectors = await releaseOnce(file, examples, representation, vocabulary, this.work);
    const of = new Map(examples.map((example, i) => [example, vectors[i] as VectorExample]));
    const readWhole = (example: TextExample) => {
      const encoded = of.get(example) as VectorExample;
      return kind === '' ? encoded : { ...encoded, ids: example.ids };
    };
    const d = representation.config.dimension;
    const learn = (part: readonly TextExample[]) =>
      part.map((example) =>
        kind !== '' && wordsAlone.has(example) ? byWords(example, d) : readWhole(example),
      );
    return {
      train: learn(train),
      validation: validation.map(readWhole),
      turns: mapTurns(turns, learn),
    };
  }
}
