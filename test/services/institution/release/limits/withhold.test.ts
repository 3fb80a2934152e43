import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Random } from '../../../../../models/tensor/random.js';
import {
  NOTHING_SPENT,
  type Spent,
} from '../../../../../services/institution/release/limits/charge.js';
import {
  FEWEST,
  MOST_OVER,
} from '../../../../../services/institution/release/limits/type-rounds.js';
import { withhold } from '../../../../../services/institution/release/limits/withhold.js';
import { judgedNotes, movedNotes, type Note, namesIn, others, sentence } from './judged-notes.js';

const TWINS = 32;
/** Where all are alike, these are as good. */
const FEW_TWINS = 2;
const CLOSE = 0.01;
const OPEN = 100;
const POLICY = { limit: 0.9 };

/** By sentence, each entity with the Δ² of its twins; entities are named `type:name`. */
type Job = readonly Readonly<Record<string, number>>[];

const squared = (value: number) => new Float64Array(TWINS).fill(value);

function decide(
  job: Job,
  policy: Parameters<typeof withhold>[2] = POLICY,
  {
    spent = {},
    twins = {},
    forms = {},
    immovable = [],
    given = {},
    parts = [],
    leavesOf,
  }: {
    spent?: Readonly<Record<string, Partial<Spent>>>;
    twins?: Readonly<Record<string, string>>;
    forms?: Readonly<Record<string, readonly string[]>>;
    immovable?: readonly string[];
    /** By sentence, the labels of its tokens; of the entities' own types by default. */
    given?: Readonly<Record<number, readonly number[]>>;
    /** Sentences in which only some words of their second entity are PHI. */
    parts?: readonly number[];
    leavesOf?: Parameters<typeof withhold>[0]['leavesOf'];
  } = {},
) {
  const labelOf = (entity: string) => 2 * Number(entity.split(':')[0]) - 1;
  const charges = job.map((sentence, i) =>
    Object.entries(sentence).map(([entity, value], token) => {
      const isPart = token === 1 && parts.includes(i);
      return { entity, whole: isPart ? [] : [token], squared: squared(value) };
    }),
  );
  const labels = job.map((sentence, i) =>
    Uint8Array.from(Object.keys(sentence), (entity, token) => given[i]?.[token] ?? labelOf(entity)),
  );
  const names = new Set(job.flatMap((sentence) => Object.keys(sentence)));
  const moves = new Map(
    [...names].map((name) => {
      const own = new Array<string>(TWINS).fill(twins[name] ?? `${name}'`);
      return [name, new Map([[name, own]])] as const;
    }),
  );
  const formsOf = new Map(Object.entries(forms));
  const spentOn = (entity: string) => ({ ...NOTHING_SPENT, ...spent[entity] });
  const immovableEntities = new Set(immovable);
  const judged = { charges, labels, moves, formsOf, immovableEntities, leavesOf };
  return withhold(judged, spentOn, policy);
}

/** `count` entities of a type, each in a sentence of its own; the first `over` of them wide open. */
const entities = (type: number, count: number, over = 0): Job =>
  Array.from({ length: count }, (_, i) => ({ [`${type}:${i}`]: i < over ? OPEN : CLOSE }));

describe('withholding', () => {
  test('leaves a type where no more than one in twenty is over the limit', () => {
    const decision = decide([...entities(1, 200, 8), {}]);
    expect(decision.withheld).not.toContain(true);
    expect(decision.entities).toBe(200);
    expect(decision.told.size).toBe(0);
  });

  test('withholds all of a type where more are, those under the limit with them', () => {
    const decision = decide([...entities(1, 200, 30), ...entities(2, 200)]);
    expect(decision.withheld.slice(0, 200)).toEqual(Array(200).fill(true));
    expect(decision.withheld.slice(200)).toEqual(Array(200).fill(false));
    expect(decision.types).toEqual(new Set([1]));
    expect(decision.told.size).toBe(0);
  });

  test('withholds a type with few entities, whatever they reveal', () => {
    for (const over of [0, FEWEST - 1])
      expect(decide(entities(1, FEWEST - 1, over))).toMatchObject({
        withheld: Array(FEWEST - 1).fill(true),
        told: new Set(),
      });
  });

  test('counts no entity that cannot move, neither for a type nor against it', () => {
    const job = [...entities(1, 100, 4), ...entities(2, 200)];
    const still = Array.from({ length: 60 }, (_, i) => `1:${40 + i}`);
    expect(decide(job).types).toEqual(new Set());
    expect(decide(job, POLICY, { immovable: still }).types).toEqual(new Set([1]));
    const few = [...still, '1:39'];
    expect(decide(entities(1, 60), POLICY, { immovable: still }).types).toEqual(new Set());
    expect(decide(entities(1, 60), POLICY, { immovable: few }).types).toEqual(new Set([1]));
  });

  test('takes what an entity reached in earlier jobs for what has most longer forms', () => {
    const spent = { '1:7': { companions: 1 } };
    const forms = Object.fromEntries(
      Array.from({ length: 8 }, (_, i): [string, string[]] => [`1:${100 + i}`, ['c']]),
    );
    expect(decide(entities(1, 200), POLICY, { spent }).told).toEqual(new Set());
    expect(decide(entities(1, 200), POLICY, { spent, forms }).told).toContain('1:7');
    expect(decide(entities(1, 200), POLICY, { forms }).told).toEqual(new Set());
  });

  test('counts again what still leaves once a type is withheld', () => {
    // Of 62 entities of type 1 two are wide open; 60 leave with no sentence but those of type 2, which is too small.
    const beside = Array.from({ length: 60 }, (_, i) => ({
      [`1:${i}`]: CLOSE,
      [`2:${i % 30}`]: CLOSE,
    }));
    const decision = decide([...beside, { '1:a': OPEN }, { '1:b': OPEN }, ...entities(3, 100)]);
    expect(decision.types).toEqual(new Set([1, 2]));
    expect(decision.withheld).toEqual([...Array(62).fill(true), ...Array(100).fill(false)]);
    expect(decision.leaving.size).toBe(100);
  });

  test('counts no entity that the cap keeps back', () => {
    const hub = Array.from({ length: 60 }, (_, i) => ({ '1:hub': CLOSE, [`1:${i}`]: CLOSE }));
    const policy = { ...POLICY, maxSentencesPerEntity: 3 };
    const decision = decide([...hub, { '1:a': OPEN }, { '1:b': OPEN }], policy);
    expect(decision.types).toEqual(new Set([1]));
  });

  test('counts an entity under every type that it leaves under', () => {
    const names = Array.from({ length: 60 }, (_, i) => [
      { [`1:${i}`]: OPEN },
      { [`1:${i}`]: OPEN },
    ]);
    const given = Object.fromEntries(names.map((_, i): [number, number[]] => [2 * i + 1, [3]]));
    const { withheld, types } = decide([...names.flat(), ...entities(2, 60)], POLICY, { given });
    expect(types).toEqual(new Set([1, 2]));
    expect(withheld).not.toContain(false);
  });

  test('counts no entity whose tokens do not leave, as labels have it', () => {
    const job = [...entities(1, 200, 3), ...entities(2, 200)];
    const few = () => (sentence: number) => sentence < 45 || sentence >= 200;
    expect(decide(job).types).toEqual(new Set());
    const decision = decide(job, POLICY, { leavesOf: few });
    expect(decision.types).toEqual(new Set([1]));
    expect(decision.leaving.size).toBe(200);
  });

  test('decides by whole names alone: which words of other names an entity shares would tell it', () => {
    // The first sentence of type 2 has a word of the first entity, or of none.
    const apart = [...entities(1, 80), ...entities(2, FEWEST - 1)];
    const shared = apart.map((own, i) => (i === 80 ? { ...own, '1:0': CLOSE } : own));
    const ofShared = { given: { 80: [3, 0] }, parts: [80] };
    for (const policy of [POLICY, { ...POLICY, maxSentencesPerEntity: 1 }]) {
      const one = decide(apart, policy);
      const other = decide(shared, policy, ofShared);
      expect(one.types).toEqual(new Set([2]));
      expect(other.withheld).toEqual(one.withheld);
      expect(other.types).toEqual(one.types);
    }
  });

  test('reckons with all shorter forms of a name becoming those of others', () => {
    const forms = { '1:0': ['1:1'] };
    const job = entities(1, FEWEST + 1);
    expect(decide(job).told).toEqual(new Set());
    expect(decide(job, POLICY, { forms }).told).toContain('1:0');
  });

  test('tells of an entity that may decide a round before the last', () => {
    // Type 1 is at its threshold until type 2 goes, whose sentences most of it stands in.
    const both = Array.from({ length: 40 }, (_, i) => ({
      [`1:${i}`]: CLOSE,
      [`2:${i % 20}`]: CLOSE,
    }));
    const { told } = decide([...both, ...entities(3, 100)]);
    expect(told).toContain('1:7');
  });

  test('withholds nothing for the sake of a limit of 1', () => {
    const decision = decide(entities(1, 3, 3), { limit: 1 });
    expect(decision.withheld).toEqual([false, false, false]);
  });

  test('decides the same whatever one entity is, or counts it as told', () => {
    for (const multiple of [2, 3]) {
      const counts = [-1, 0, 1].map((more) => multiple * MOST_OVER + more);
      for (const [count, over] of counts.flatMap((each) =>
        [0, 1, 2, 3, 4].map((c) => [each, c] as const),
      )) {
        const one = decide(entities(1, count, over));
        const other = decide(entities(1, count, over + 1));
        if (one.withheld.join() === other.withheld.join()) continue;
        const moved = `1:${over}`;
        expect(one.told.has(moved)).toBe(true);
        expect(other.told.has(moved)).toBe(true);
      }
    }
  });

  test('counts what an entity reaches through the sentences that it shares', () => {
    // The second entity of each sentence of `2:hub` may come over the limit with it.
    const hub = Array.from({ length: 20 }, (_, i) => ({ '2:hub': CLOSE, [`1:${i}`]: CLOSE }));
    const job = [...hub, ...entities(1, 200).slice(20), ...entities(2, 200)];
    const { withheld, told } = decide(job);
    expect(withheld).not.toContain(true);
    expect(told).toEqual(new Set(['2:hub']));
  });

  test('does not count an entity as told for a type at its threshold that it does not reach', () => {
    const atThreshold = entities(1, 2 * FEWEST, 4);
    const { withheld, told } = decide([...atThreshold, ...entities(2, 200)]);
    expect(withheld).not.toContain(true);
    expect([...told].filter((name) => name.startsWith('2:'))).toEqual([]);
    expect(told).toContain('1:70');
  });

  test('counts the entities that bear the name of a twin, whole or as a shorter form', () => {
    const job = [...entities(1, 2 * FEWEST, 4), ...entities(2, 200)];
    const twins = { '2:3': '1:9', '2:4': 'short', '2:5': '2:6' };
    const { told } = decide(job, POLICY, { twins, forms: { '1:9': ['short'] } });
    expect([...told].filter((name) => name.startsWith('2:'))).toEqual(['2:3', '2:4']);
  });

  test('counts what an entity reached in earlier jobs', () => {
    const spent = { '1:7': { companions: 50 } };
    expect(decide(entities(1, 200), POLICY, { spent }).told).toEqual(new Set(['1:7']));
  });

  test('counts earlier jobs and shorter forms into the limit', () => {
    const spent = { ana: { squared: squared(OPEN) } };
    const forms = Object.fromEntries(
      Array.from({ length: 30 }, (_, i): [string, string[]] => [`1:${i}`, ['ana']]),
    );
    expect(decide(entities(1, 200), POLICY, { spent, forms }).types).toEqual(new Set([1]));
    expect(decide(entities(1, 200), POLICY, { spent }).types).toEqual(new Set());
  });

  test('caps the sentences of an entity by their pattern alone', () => {
    const job = [...Array(5).fill({ '1:0': OPEN }), ...entities(1, 200).slice(1)];
    const policy = { ...POLICY, maxSentencesPerEntity: 2 };
    const { withheld } = decide(job, policy);
    expect(withheld.slice(0, 6)).toEqual([false, false, true, true, true, false]);
    const spent = { '1:0': { sentences: 1 } };
    expect(decide(job, policy, { spent }).withheld.slice(0, 3)).toEqual([false, true, true]);
  });

  test('counts a twin as told apart that has the name of another, where the cap would bind', () => {
    const job = [...entities(1, 200), { '1:1': CLOSE }];
    const policy = { ...POLICY, maxSentencesPerEntity: 2 };
    const { toldTwins } = decide(job, policy, { twins: { '1:0': '1:1' } });
    expect(toldTwins.get('1:0')).toEqual(Array(TWINS).fill(true));
    expect(toldTwins.get('1:2')).toEqual(Array(TWINS).fill(false));
  });
});

/** Decides of notes, in which a word becomes `twinOf` of it in every twin. */
function decideNotes(
  notes: readonly Note[],
  policy: Parameters<typeof withhold>[2] = POLICY,
  {
    twinOf = (word) => `${word}'`,
    isOpen = () => false,
    spent = {},
  }: {
    twinOf?: (word: string) => string;
    /** Whether moving these tokens of a sentence reveals which of both it is. */
    isOpen?: (sentence: Note[number], tokens: readonly number[]) => boolean;
    spent?: Readonly<Record<string, Partial<Spent>>>;
  } = {},
) {
  const judged = judgedNotes(notes, {
    twinOf,
    squaredOf: (own, { tokens }) =>
      new Float64Array(FEW_TWINS).fill(isOpen(own, tokens) ? OPEN : 0),
  });
  return withhold(judged, (name) => ({ ...NOTHING_SPENT, ...spent[name] }), policy);
}

describe('withholding where other names of its note change with an entity', () => {
  const toFamily = (to: string) => (word: string) => (word === 'garcia' ? to : word);

  test('tells of one that makes two of a name, where a type would have enough entities then', () => {
    const notes = [
      [sentence(['ana garcia']), sentence(['garcia'])],
      [sentence(['garcia'])],
      ...others(FEWEST - 3),
    ];
    const apart = movedNotes(notes, ['ana garcia'], (word) => `${word}'`);
    expect(decideNotes(notes).withheld).not.toContain(false);
    expect(decideNotes(apart).withheld).not.toContain(true);
    expect(decideNotes(notes).told).toEqual(new Set(['ana garcia']));
    expect(decideNotes([...notes, ...others(1, 2)]).told).toContain('ana garcia');
    expect(decideNotes(notes.slice(0, -1)).told).toEqual(new Set());
  });

  test('tells of one that makes two of a name that is over the limit', () => {
    const notes = [
      [sentence(['ana garcia']), sentence(['garcia'])],
      [sentence(['garcia']), sentence(['luis'])],
      ...others(2 * FEWEST - 7),
    ];
    const isOpen = (own: Note[number]) => own.length === 2 && /garcia|luis/.test(own[1]?.[0] ?? '');
    const apart = movedNotes(notes, ['ana garcia'], (word) => `${word}'`);
    expect(decideNotes(notes, POLICY, { isOpen }).withheld).not.toContain(true);
    expect(decideNotes(apart, POLICY, { isOpen }).withheld).not.toContain(false);
    expect(decideNotes(notes, POLICY, { isOpen }).told).toContain('ana garcia');
  });

  test.each([
    ['makes two of a name that is at the cap', 'pedro garcia', 1],
    ['gives a name to one that is at the cap then', 'pedro lopez', 0],
  ])('counts a twin as told apart that %s', (_, other, count) => {
    const notes = [
      [sentence(['ana garcia']), sentence(['pedro garcia']), sentence(['pedro garcia'])],
      [sentence([other]), sentence([other])],
      ...others(2 * FEWEST),
    ];
    const policy = { ...POLICY, maxSentencesPerEntity: 3 };
    const twinOf = toFamily('lopez');
    const decision = decideNotes(notes, policy, { twinOf });
    const moved = decideNotes(movedNotes(notes, ['ana garcia'], twinOf), policy, { twinOf });
    expect(decision.withheld.filter((is) => is)).toHaveLength(count);
    expect(moved.withheld.filter((is) => is)).toHaveLength(1 - count);
    expect(decision.toldTwins.get('ana garcia')).toEqual(Array(FEW_TWINS).fill(true));
    expect(decision.toldTwins.get('other1x0')).toEqual(Array(FEW_TWINS).fill(false));
  });

  test('tells of an entity of which a twin is told apart where nothing of it leaves', () => {
    const notes = [
      [sentence(['ana garcia']), ...Array(2).fill(sentence(['pedro garcia']))],
      Array(2).fill(sentence(['pedro garcia'])),
    ];
    const told = (more: number) =>
      decideNotes([...notes, ...others(more)], { limit: 0.9, maxSentencesPerEntity: 3 }).told;
    expect(told(2 * FEWEST)).toEqual(new Set());
    expect(told(FEWEST / 2)).toContain('ana garcia');
  });

  test('counts no twin as told apart where a name at the cap changes as a whole, or stays', () => {
    const notes = [
      [sentence(['ana garcia']), ...Array(4).fill(sentence(['pedro garcia']))],
      ...others(2 * FEWEST),
    ];
    const policy = { ...POLICY, maxSentencesPerEntity: 3 };
    const told = (twinOf: (word: string) => string, spent = {}) =>
      decideNotes(notes, policy, { twinOf, spent }).toldTwins.get('ana garcia')?.includes(true);
    expect(told(toFamily('lopez'))).toBe(false);
    const earlier = { 'pedro garcia': { sentences: 1 } };
    expect(told(toFamily('lopez'), earlier)).toBe(true);
    expect(told(toFamily('garcia'), earlier)).toBe(false);
  });

  test.each([
    ['by types', { limit: 0.9 }],
    ['under a cap', { limit: 1, maxSentencesPerEntity: 2 }],
    ['under a higher cap', { limit: 1, maxSentencesPerEntity: 4 }],
  ])('withholds the same whatever one entity is, or tells of it, %s', (_, policy) => {
    const random = new Random(7);
    const pick = <T>(from: readonly T[]) => from[random.integer(from.length)] as T;
    const some = <T>(most: number, make: () => T) =>
      Array.from({ length: 1 + random.integer(most) }, make);
    const given = ['ana', 'pedro', 'luis'];
    const family = ['garcia', 'lopez', 'ruiz'];
    const shapes = [[given, family], [family], [given], [given, given, family]];
    let differ = 0;
    for (let trial = 0; trial < 120; trial++) {
      const name = () => pick(shapes).map(pick).join(' ');
      const named = some(5, () => some(4, () => sentence(some(2, name), 1 + random.integer(2))));
      const entities = namesIn(named);
      const around = FEWEST * (1 + random.integer(2)) + random.integer(9) - 4 - entities.length;
      const notes = [...named, ...others(Math.max(0, around)), ...others(FEWEST + 5, 2)];
      const twins = new Map(
        [...given, ...family].map((word) => [word, pick([...given, ...family, 'x'])]),
      );
      const twinOf = (word: string) => twins.get(word) ?? `${word}'`;
      const share = 0.04 * random.integer(3);
      const isOpen = (...of: unknown[]) =>
        createHash('sha256')
          .update(JSON.stringify([trial, of]))
          .digest()
          .readUInt32LE() <
        share * 2 ** 32;
      const entity = pick(entities);
      const one = decideNotes(notes, policy, { twinOf, isOpen });
      const forms = entity.split(' ').filter(() => random.integer(2) === 0);
      const moved = movedNotes(notes, [entity, ...forms], twinOf);
      const other = decideNotes(moved, policy, { twinOf, isOpen });
      if (one.withheld.join() === other.withheld.join()) continue;
      differ++;
      expect(one.told.has(entity) || one.toldTwins.get(entity)?.[0]).toBe(true);
    }
    expect(differ).toBeGreaterThan(3);
  });
});
