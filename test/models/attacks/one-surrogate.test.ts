import { beforeAll, describe, expect, test } from '@jest/globals';
import { conduct } from '../../../models/attacks/attack.js';
import { closedList } from '../../../models/attacks/closed-list/closed-list.js';
import { entityBound } from '../../../models/attacks/entity-bound.js';
import { withOneSurrogate } from '../../../models/attacks/one-surrogate.js';
import type { ReplacedEntity } from '../../../models/attacks/replaced-entity.js';
import type { AuditTarget } from '../../../models/attacks/target.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import type { TextExample } from '../../../models/training/data/examples.js';
import { toyTarget } from './toy-target.js';

beforeAll(async () => {
  await useBackend();
});

const NAMES = ['berta', 'carla', 'david', 'emil', 'frida', 'gustav'];

/** A sentence with surrogates of `[original, surrogate]` in it, and what they stand for. */
function sentence(
  { vocabulary }: AuditTarget,
  documentIndex: number,
  ...parts: readonly (string | readonly [original: string, surrogate: string])[]
): readonly [TextExample, ReplacedEntity[]] {
  const idsOf = (text: string) => text.split(' ').map((word) => vocabulary.idOf(word));
  const ids: number[] = [];
  const labels: number[] = [];
  const spans: ReplacedEntity[] = [];
  for (const part of parts) {
    const start = ids.length;
    ids.push(...idsOf(typeof part === 'string' ? part : part[1]));
    const words = ids.length - start;
    const isWord = typeof part === 'string';
    labels.push(...Array.from({ length: words }, (_, i) => (isWord ? 0 : Math.min(i + 1, 2))));
    if (!isWord) spans.push({ start, end: ids.length, type: 'NAME', ids: idsOf(part[0]) });
  }
  const example = { ids: Int32Array.from(ids), labels: Uint8Array.from(labels), documentIndex };
  return [example, spans];
}

describe('test notes with one surrogate for each entity', () => {
  test('have that of its first mention in each, and its words in shorter forms', async () => {
    const toy = await toyTarget();
    const sentences = [
      sentence(toy, 0, 'seen', ['berta carla', 'david emil'], 'fever'),
      sentence(toy, 0, ['berta carla', 'gustav'], 'pain', ['carla', 'frida frida']),
      sentence(toy, 0, 'cough', ['gustav', 'berta']),
      sentence(toy, 1, ['berta carla', 'frida'], 'liver', ['carla', 'emil']),
      sentence(toy, 0, 'seen', ['berta carla', 'emil frida'], 'fever'),
    ];
    const test = sentences.map(([example]) => example);
    const lines = new Map(
      test.map((example, i) => [example, i < 2 ? 'form' : 'narrative'] as const),
    );
    const target = {
      ...toy,
      ...{ test, lines, replaced: new Map(sentences) },
      furtherCopies: new Set(test.slice(4)),
    };
    const joined = withOneSurrogate(target);
    const words = ({ ids }: TextExample) =>
      [...ids].map((id) => toy.vocabulary.wordOf(id)).join(' ');
    expect(joined.test.map(words)).toEqual([
      'seen david emil fever',
      'david emil pain emil',
      'cough berta',
      'frida liver emil',
    ]);
    expect(joined.test.map(({ labels }) => [...labels].join(''))).toEqual([
      '0120',
      '1201',
      '01',
      '101',
    ]);
    expect(joined.test.map((example) => joined.lines?.get(example))).toEqual([
      ...['form', 'form', 'narrative', 'narrative'],
    ]);
    expect(joined).toMatchObject({ replaced: undefined, released: undefined });
  });

  test('are as they were where entities were kept', async () => {
    const toy = await toyTarget();
    expect(withOneSurrogate(toy)).toBe(toy);
  });
});

/** Each name three times in its note, under a surrogate of its own each time or under itself. */
async function recurring() {
  const toy = await toyTarget({ sentences: [120, 30, 120], outputStddev: 0.6 });
  const random = new Random(3);
  const drawn = () => NAMES[random.integer(NAMES.length)] as string;
  const notes = Array.from({ length: 60 }, (_, note) => {
    const original = drawn();
    return Array.from({ length: 3 }, () => sentence(toy, note, 'seen', [original, drawn()]));
  }).flat();
  return { ...toy, test: notes.map(([example]) => example), replaced: new Map(notes) };
}

test('the limit for an entity counts that it recurs, and says how often one does', async () => {
  const target = await recurring();
  const limitOf = (of: AuditTarget) => entityBound(of, 4, 400, new Random(1), { comparisons: 1 });
  const once = await limitOf({ ...target, replaced: undefined });
  const whole = await limitOf(target);
  expect([whole.entities, whole.meanSentences, whole.recurring]).toEqual([60, 3, 1]);
  expect(once.recurring).toBeUndefined();
  expect(whole.bound.value).toBeGreaterThan(once.bound.value + 0.02);
});

test('a closed list names an entity from all of its mentions together', async () => {
  const target = await recurring();
  const context = { random: new Random(4), comparisons: 1, trials: [], distances: [] };
  const attack = closedList({ draws: 2, longest: 6 });
  const [once] = await conduct(attack, { ...target, replaced: undefined }, context);
  const [whole] = await conduct(attack, target, context);
  expect(whole.trials).toBe(60);
  expect(whole.success.value).toBeGreaterThan(once.success.value);
  expect(whole.description).toContain('one surrogate in fresh releases');
  expect(once.description).not.toContain('surrogate');
});
