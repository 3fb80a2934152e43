import { beforeAll, describe, expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { evaluate } from '../../../models/evaluation/evaluate.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { scoreTokens, type Tagger, tag } from '../../../models/networks/tagger.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import type { Document } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { prepareNotes, trainRaw } from '../../../models/training/recipes.js';

const NAMES = ['Berta', 'Carla', 'David', 'Emil', 'Frida', 'Gustav'];
const OTHERS = ['fever', 'cough', 'pain', 'liver', 'biopsy', 'tablet'];
const WORDS = ['the', 'patient', 'has', 'seen', ...OTHERS, ...NAMES.map((n) => n.toLowerCase())];

function notes(count: number, seed: number): Document[] {
  const random = new Random(seed);
  const pick = (words: readonly string[]) => words[random.integer(words.length)];
  return Array.from({ length: count }, (_, i) => {
    const name = pick(NAMES);
    const before = `The patient has ${pick(OTHERS)}.\n`;
    const text = `${before}Seen ${name} has ${pick(OTHERS)}.\n`;
    const start = before.length + 'Seen '.length;
    return {
      id: `n-${i}`,
      text,
      spans: [{ type: 'PATIENT', start, end: start + name.length }],
    };
  });
}

beforeAll(async () => {
  await useBackend();
});

describe('a tagger', () => {
  test('finds, in notes it has not seen, what its de-identifier has learned', async () => {
    const matrix = new Random(1).normals(WORDS.length * 12);
    const scheme = loadLabelScheme('phi-binary');
    const config = trainingConfig({
      deidentifier: { units: 12, layers: 1 },
      learner: { learningRate: 0.02 },
      supervised: { maxEpochs: 20 },
    });
    const context = { random: new Random(2) };
    const material = { documents: notes(80, 1), scheme, corpusName: 'toy' };
    const embeddings = embeddingsFromRows(WORDS, matrix);
    const prepared = await prepareNotes({ ...material, embeddings }, config, context);
    const { deidentifier } = await trainRaw(prepared, scheme, config, context);
    const tagger = { deidentifier, vocabulary: prepared.vocabulary, scheme };
    const pairs = notes(30, 2).map((gold) => ({
      gold,
      system: { ...gold, spans: tag(gold.text, tagger) },
    }));
    expect(evaluate(pairs, { seed: 1 }).token.binary.f1).toBeGreaterThan(0.95);
    expect(tag('', tagger)).toEqual([]);

    // Beside one that knows nothing it is less sure, whichever of the two is named first.
    const untrained = Deidentifier.create(deidentifier.config, new Random(9));
    const novice = { ...tagger, deidentifier: untrained };
    const phi = async (one: Tagger) => {
      const scores: number[] = [];
      for await (const token of scoreTokens(notes(1, 2)[0]?.text ?? '', one))
        scores.push(token.phi);
      return scores;
    };
    const [alone, unsure] = [await phi(tagger), await phi(novice)];
    const together = await phi({ ...tagger, beside: [novice] });
    expect(together).not.toEqual(alone);
    expect(together).not.toEqual(unsure);
    const turned = await phi({ ...novice, beside: [tagger] });
    turned.forEach((score, i) => {
      expect(score).toBeCloseTo(together[i] as number, 5);
    });
  });
});
