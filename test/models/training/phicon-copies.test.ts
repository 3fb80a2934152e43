import { describe, expect, test } from '@jest/globals';
import { phiconCopies } from '../../../models/augmentation/phicon.js';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { examplesOfEpoch } from '../../../models/training/data/turns.js';
import { type PreparedNotes, prepareNotes } from '../../../models/training/recipes.js';
import { trainingStatement } from '../../../models/training/statement.js';

const documents = [...generateNotes({ seed: 3, documents: 20 })];
const words = [...new Set(documents.flatMap(({ text }) => text.split(/\W+/)))];
const notes = {
  documents,
  scheme: loadLabelScheme('synthetic'),
  // A vector each, so that another word is another id.
  embeddings: embeddingsFromRows(words, new Random(1).normals(2 * words.length)),
  corpusName: 'invented',
  language: 'es',
};

const prepared = (augmentation: object, language = 'es') =>
  prepareNotes({ ...notes, language }, trainingConfig({ augmentation }), {
    random: new Random(1),
  });

const isPhi = ({ labels }: { labels: Uint8Array }) => labels.some((label) => label > 0);
const labelsOf = (examples: readonly { labels: Uint8Array }[]) =>
  examples.map(({ labels }) => [...labels].join(' '));
const keysOf = ({ vocabulary }: PreparedNotes, train: PreparedNotes['train'], phi: boolean) =>
  train.map(({ ids, labels }) =>
    [...ids].filter((_, t) => (labels[t] as number) > 0 === phi).map((id) => vocabulary.key(id)),
  );

describe("PHICON's sentences", () => {
  test('stand beside the notes, α times those that hold PHI, and validation stays as it is', async () => {
    const [plain, augmented] = [
      await prepared({}),
      await prepared({ alpha: 2, phi: true, context: false }),
    ];
    const own = plain.train.length;
    expect(labelsOf(augmented.train.slice(0, own))).toEqual(labelsOf(plain.train));
    expect(labelsOf(augmented.validation)).toEqual(labelsOf(plain.validation));
    const holding = plain.train.filter(isPhi);
    const more = augmented.train.slice(own);
    expect(more.every(isPhi)).toBe(true);
    expect(more.length).toBe(2 * holding.length);
    const rest = keysOf(plain, holding, false);
    expect(keysOf(augmented, more, false)).toEqual([...rest, ...rest]);
    expect(keysOf(augmented, more.slice(0, holding.length), true)).not.toEqual(
      keysOf(plain, holding, true),
    );
  });

  test('hold no name of the notes', async () => {
    const letters = [...'abcdefghijklmno'];
    const families = letters.flatMap((one) => letters.map((other) => `Zzyq${one}${other}`));
    const documents = families.map((family) => ({
      ...{ id: family, text: `Seen by Anna ${family} today.` },
      spans: [{ type: 'DOCTOR', start: 8, end: 8 + 'Anna '.length + family.length }],
    }));
    const named = { ...notes, documents, language: 'en', scheme: loadLabelScheme('i2b2-2014') };
    const asked = { alpha: 2, phi: true, context: false };
    const copies = (await phiconCopies(named, asked, new Random(1))).flat();
    const drawn = copies.map(({ text, spans: [span] }) => text.slice(span?.start, span?.end));
    expect(drawn).toHaveLength(2 * families.length);
    expect(drawn.filter((entity) => /zzyq/i.test(entity))).toEqual([]);
  });

  test('keep their PHI where only words around it change', async () => {
    const plain = await prepared({});
    const augmented = await prepared({ alpha: 1, phi: false, context: true });
    const holding = plain.train.filter(isPhi);
    const more = augmented.train.slice(plain.train.length);
    expect(keysOf(augmented, more, true)).toEqual(keysOf(plain, holding, true));
    expect(keysOf(augmented, more, false)).not.toEqual(keysOf(plain, holding, false));
  });

  test('are in every epoch where replaced copies take turns', async () => {
    const both = await prepared({ replaced: 1, drawn: 3, alpha: 1, context: false });
    const plain = await prepared({});
    const sizes = [1, 2, 3].map((epoch) => examplesOfEpoch(both, epoch).length);
    const [first] = sizes;
    expect(sizes.every((size) => Math.abs(size - (first ?? 0)) < plain.train.length / 4)).toBe(
      true,
    );
    expect(first).toBeGreaterThan(plain.train.length + plain.train.filter(isPhi).length);
  });

  test('are refused where nothing is to change, and other words in a language without them', async () => {
    const nothing = prepared({ alpha: 1, phi: false, context: false });
    await expect(nothing).rejects.toMatchObject({ code: 'config-invalid' });
    const french = prepared({ alpha: 1, phi: false }, 'fr');
    await expect(french).rejects.toMatchObject({ code: 'config-invalid' });
  });

  test('are refused where nobody says in which language their entities are to be public', async () => {
    const { language: _, ...unsaid } = notes;
    const config = trainingConfig({ augmentation: { alpha: 1, context: false } });
    await expect(prepareNotes(unsaid, config, { random: new Random(1) })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('--language'),
    });
  });

  test('are stated by a manifest', () => {
    const config = trainingConfig({ augmentation: { alpha: 2, context: false } });
    expect(trainingStatement('raw', config)).toMatchObject({
      'augmented copies': 2,
      'augmentation of': 'PHI',
    });
    expect(trainingStatement('raw', trainingConfig({}))).toEqual({ objective: 'raw', seed: 1 });
  });
});
