import { describe, expect, test } from '@jest/globals';
import { overlappingNeighbours } from '../../../../models/attacks/likelihood/overlapping-neighbours.js';
import { PseudonymSources } from '../../../../models/attacks/likelihood/pseudonym-sources.js';
import { joinedSentences } from '../../../../models/attacks/linkage/joined-sentences.js';
import { Candidates } from '../../../../models/embeddings/candidates.js';
import { embeddingsFromRows } from '../../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import { Random } from '../../../../models/tensor/random.js';
import type { TextExample } from '../../../../models/training/data/examples.js';
import { movedByDocument, movedTokens } from '../../../../models/training/data/pseudonymisation.js';

/** Words on a circle: the candidates of each are the next ones. */
const WORDS = Array.from(
  { length: 60 },
  (_, i) => `name${String.fromCharCode(97 + (i % 26))}${i < 26 ? 'a' : i < 52 ? 'b' : 'c'}`,
);
const vocabulary = new Vocabulary(
  embeddingsFromRows(
    WORDS,
    Float32Array.from({ length: WORDS.length * 2 }, (_, i) => Math.cos(i)),
  ),
);
const IDS = WORDS.map((word) => vocabulary.idOf(word));

function circle(N: number): Candidates {
  const of = new Map(
    IDS.map((id, i) => [
      id,
      Int32Array.from({ length: N }, (_, k) => IDS[(i + k) % IDS.length] as number),
    ]),
  );
  return new Candidates(N, of, new Map());
}

/** Ten documents of six sentences, each with a name that stands in no other document. */
const examples: TextExample[] = Array.from({ length: 60 }, (_, i) => ({
  ids: Int32Array.of(IDS[6 * (i % 10)] as number),
  labels: Uint8Array.of(1),
  documentIndex: i % 10,
}));
const counts = new Map(IDS.map((id) => [id, 1]));

function rates(candidates: Candidates, shared: readonly TextExample[]) {
  const sources = new PseudonymSources(counts, candidates, vocabulary);
  const joined = joinedSentences(shared, sources, vocabulary);
  const named = overlappingNeighbours(examples, shared, sources, { vocabulary, candidates });
  const mean = (values: readonly { value: number }[]) =>
    values.reduce((sum, { value }) => sum + value, 0) / values.length;
  return { joined: mean(joined), chance: joined[0]?.chance ?? 0, named: mean(named) };
}

describe('shuffled sentences of documents', () => {
  test('are put together again by the names in them', () => {
    const { joined, chance, named } = rates(circle(1), examples);
    expect([joined, named]).toEqual([1, 1]);
    expect(chance).toBeCloseTo(5 / 59, 9);
  });

  test('are put together by overlapping neighbours where each token was moved on its own', () => {
    const candidates = circle(12);
    const { joined, chance } = rates(candidates, movedTokens(examples, candidates, new Random(1)));
    expect(joined).toBeGreaterThan(2 * chance);
    expect(joined).toBeLessThan(1);
  });

  test('come apart where every word may stand for every other', () => {
    const candidates = circle(60);
    const moved = movedTokens(examples, candidates, new Random(1));
    const { joined, chance, named } = rates(candidates, moved);
    expect(joined).toBeCloseTo(chance, 9);
    expect(named).toBeCloseTo(1 / 60, 9);
  });

  test('are put together more easily where moves are the same all over a document, and their names named less often', () => {
    const candidates = circle(12);
    const token = rates(candidates, movedTokens(examples, candidates, new Random(1)));
    const moved = movedByDocument(examples, candidates, vocabulary, new Random(1));
    const document = rates(candidates, moved);
    expect(document.joined).toBeGreaterThan(token.joined);
    expect(document.named).toBeCloseTo(1 / 12, 9);
    expect(token.named).toBeGreaterThan(2 * document.named);
  });
});

test('a word is moved to one neighbour all over a document, in the casing of each place', () => {
  const upper = vocabulary.idOf((WORDS[0] as string).toUpperCase());
  const both = { ids: Int32Array.of(IDS[0] as number, upper), labels: Uint8Array.of(1, 2) };
  const notes = [0, 0, 1, 2, 3].map((documentIndex) => ({ ...both, documentIndex }));
  const candidates = new Candidates(
    30,
    new Map([IDS[0] as number, upper].map((id) => [id, Int32Array.from(IDS.slice(0, 30))])),
    new Map(),
  );
  const moved = movedByDocument(notes, candidates, vocabulary, new Random(3));
  const words = moved.map(({ ids }) => [...ids].map((id) => vocabulary.uncased(id)));
  for (const [first, second] of words) expect(first).toBe(second);
  expect(words[0]).toEqual(words[1]);
  expect(new Set(words.map(([word]) => word)).size).toBeGreaterThan(1);
  for (const { ids } of moved)
    expect([...ids].map((id) => vocabulary.casing(id))).toEqual([
      vocabulary.casing(IDS[0] as number),
      vocabulary.casing(upper),
    ]);
});
