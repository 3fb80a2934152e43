import path from 'node:path';
import { twinDistances } from '../../models/attacks/distances.js';
import type { AuditTarget } from '../../models/attacks/target.js';
import { INVENTORY_FILE } from '../../models/bundle/bundle-files.js';
import { LEAST_ACCURACY } from '../../models/certification/accuracy.js';
import { pairBound } from '../../models/certification/bounds.js';
import { typeOfLabel } from '../../models/certification/entity.js';
import { movablePositions } from '../../models/certification/move.js';
import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { documentsOf, estimate } from '../../models/statistics/estimate.js';
import { type Origins, ofOrigins } from '../../models/statistics/origins.js';
import { quantile } from '../../models/statistics/quantile.js';
import type { Draws } from '../../models/surrogates/draws.js';
import { Inventory } from '../../models/surrogates/inventory.js';
import { tokenise } from '../../models/text/tokeniser.js';
import type { TextExample } from '../../models/training/data/examples.js';
import { textIfThere } from '../../platform/files/optional-file.js';
import { asMeasured } from '../runs/measured.js';
import type { Bound, PublicNames } from '../runs/measurements.js';
import type { Subject, Work } from '../runs/subject.js';

/** Entities drawn of a type, whose words stand for one another. */
const ENTITIES = 4000;
/** Fewer words say too little of a type. */
const LEAST_WORDS = 20;
const DRAWS = 16;

/** A PHI word without a vector, where it stands. */
interface Place {
  readonly example: TextExample;
  readonly position: number;
  /** What else could stand there: words of public entities of its type, which have no vector either. */
  readonly names: readonly number[];
}

/**
 * The limit for words that the word vectors lack and f knows by their characters. For `bounds` they move among made-up
 * words (candidates.ts), for want of others; here beside that among words of public entities of the same type, drawn
 * from the run's own inventory. Null where the run has no inventory, or no such word can move.
 */
export async function publicNames(subject: Subject, work: Work): Promise<PublicNames | null> {
  const file = path.join(subject.run.directory, INVENTORY_FILE);
  const text = await textIfThere(file);
  const target = await subject.target(work);
  if (text === undefined || !target.vocabulary.seesCharacters) return null;
  const random = subject.random('public-names');
  const inventory = Inventory.read(Buffer.from(text));
  const names = namesByType(inventory, subject.scheme.types, target.vocabulary, random);
  const places = placesOf(target, subject.scheme.types, names);
  if (places.length === 0) return null;
  const limitOf = async (draw: (place: Place) => number) => {
    const twins = places.map((place) => {
      const twin = place.example.ids.slice();
      twin[place.position] = draw(place);
      return { ids: place.example.ids, twin };
    });
    const distances = await twinDistances(target, twins, DRAWS, random, work);
    return boundOf(places, distances, target.origins);
  };
  const { vocabulary, candidates } = target;
  return {
    places: places.length,
    draws: DRAWS,
    words: Object.fromEntries([...names].map(([type, ids]) => [type, ids.length])),
    madeUp: await limitOf(({ example, position }) =>
      candidates.draw(example.ids[position] as number, random),
    ),
    public: await limitOf(({ example, position, names }) => {
      const name = names[random.integer(names.length)] as number;
      return vocabulary.inCasing(name, vocabulary.casing(example.ids[position] as number));
    }),
  };
}

/** Words without a vector of drawn entities, by type; types with hardly any are left out. */
function namesByType(
  inventory: Inventory,
  types: readonly string[],
  vocabulary: Vocabulary,
  draws: Draws,
): ReadonlyMap<string, readonly number[]> {
  const drawable = types.filter((type) => inventory.types.includes(type));
  const words = drawable.map((type) => {
    const drawn = Array.from({ length: ENTITIES }, () => inventory.draw(type, draws));
    const tokens = drawn.flatMap((entity) => tokenise(entity).map(({ text }) => text));
    const named = new Set(tokens.filter((word) => /^\p{L}+$/u.test(word)));
    const ids = [...named].map((word) => vocabulary.idOf(word.toLowerCase()));
    return [type, [...new Set(ids.filter((id) => vocabulary.wordOf(id) === undefined))]] as const;
  });
  return new Map(words.filter(([, ids]) => ids.length >= LEAST_WORDS));
}

function placesOf(
  { test, vocabulary, candidates }: AuditTarget,
  types: readonly string[],
  names: ReadonlyMap<string, readonly number[]>,
): Place[] {
  return test.flatMap((example) =>
    movablePositions(example, candidates).flatMap((position) => {
      const id = example.ids[position] as number;
      const type = types[typeOfLabel(example.labels[position] as number) - 1] as string;
      const others = names.get(type);
      const isNamed = !vocabulary.isDigits(id) && vocabulary.wordOf(id) === undefined;
      return isNamed && others ? [{ example, position, names: others }] : [];
    }),
  );
}

function boundOf(
  places: readonly Place[],
  distances: readonly Float32Array[],
  origins: Origins | undefined,
): Bound & { percentile99: number } {
  const bounds = distances.map((squared) => pairBound(squared));
  const at = (q: number) => quantile(bounds, q) ?? LEAST_ACCURACY;
  const observed = ofOrigins(
    places.map(({ example: { documentIndex } }, i) => {
      return { documentIndex, value: bounds[i] as number };
    }),
    origins,
  );
  return {
    documents: documentsOf(observed),
    bound: asMeasured(estimate(observed, 1, LEAST_ACCURACY)),
    ...{ median: at(0.5), percentile95: at(0.95), percentile99: at(0.99), maximum: at(1) },
  };
}
