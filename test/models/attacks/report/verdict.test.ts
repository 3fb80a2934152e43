import { describe, expect, test } from '@jest/globals';
import { strongestFirst } from '../../../../models/attacks/report/guessing.js';
import { besideNames, isQuiet, verdict } from '../../../../models/attacks/report/verdict.js';
import { sampleAttack, sampleAudit } from '../sample-audit.js';

const { certified } = sampleAudit();
const one = { comparisons: 1 };

describe('the verdict', () => {
  test('says what was found, that others may do better, and the limit', () => {
    const text = verdict([sampleAttack(0.52), sampleAttack(0.8)], certified, one);
    expect(text).toContain('1 of 2 attacks');
    expect(text).toContain('80.0 %');
    expect(text).toContain('others may surpass');
    expect(text).toContain('96.0 %');
  });

  test('never takes failed attacks for safety', () => {
    const text = verdict([sampleAttack(0.52)], certified, one);
    expect(text).toContain('None of the 1 attacks');
    expect(text).toContain('does not show that no other could');
  });

  test('counts an attack as better than guessing only with all attacks considered', () => {
    // Its own interval is above one half, the corrected one is not.
    expect(verdict([sampleAttack(0.55)], certified, one)).toContain('None');
  });

  test('says where notes are too few for the interval of a limit', () => {
    const few = verdict([sampleAttack(0.52)], { ...certified, documents: 12 }, one);
    expect(few).toContain('which 12 notes are too few to be sure of');
    const enough = verdict([sampleAttack(0.52)], { ...certified, documents: 200 }, one);
    expect(enough).not.toContain('too few');
  });

  test('declares an audit invalid where an attack beats the limit on all attacks', () => {
    expect(
      verdict([sampleAttack(1, { limit: sampleAttack(0.6).success })], certified, one),
    ).toContain('not valid');
  });

  test('says that a known sentence can be confirmed, in its own words', () => {
    const lookup = sampleAttack(0.9, { task: 'find the sentence' });
    const attacks = [sampleAttack(0.5), lookup];
    const text = verdict(attacks, certified, one);
    expect(text).toContain('None of the 1 attacks');
    expect(text).toContain('can confirm that a known sentence was shared (right in 90.0 %');
    expect(isQuiet(attacks, one)).toBe(false);
    expect(isQuiet([sampleAttack(0.5)], one)).toBe(true);
    expect(besideNames(attacks, one)).toBeUndefined();
  });

  test('never mixes names that nobody labelled with what was replaced', () => {
    const surrogate = sampleAttack(0.9, { statement: 'a name that nobody labelled' });
    const nothing: [number, number] = [-0.05, 0.05];
    const original = sampleAttack(0.08, {
      task: 'name the replaced entity',
      chance: 0.08,
      gain: { value: 0, interval: nothing, corrected: nothing },
      pairs: null,
    });
    const text = verdict([surrogate, original], certified, one);
    expect(text).toContain('Names that nobody labelled can be attacked: 1 of 1 attacks');
    expect(text).toContain(
      'what stood where another entity was encoded was not named more often than by',
    );
    const sure: [number, number] = [0.2, 0.4];
    const broken = { ...original, gain: { value: 0.3, interval: sure, corrected: sure } };
    expect(verdict([surrogate, broken], certified, one)).toContain('nothing should leave');
    expect(isQuiet([sampleAttack(0.5), broken], one)).toBe(false);
  });

  test('names a task that several attacks confirm once', () => {
    const confirming = ['confirm-note', 'confirm-note-vectors'].map((name) =>
      sampleAttack(0.9, { name, task: 'confirm a note', chance: 0.01, pairs: null }),
    );
    const text = verdict([sampleAttack(0.5), ...confirming], certified, one);
    expect(text.match(/can tell of a note that it holds/g)).toHaveLength(1);
  });

  test('names what does not identify apart', () => {
    const other = sampleAttack(0.9, { task: 'read other words' });
    expect(verdict([sampleAttack(0.5), other], certified, one)).toContain('None of the 1 attacks');
    expect(besideNames([sampleAttack(0.5), other], one)).toContain('does not identify');
    expect(besideNames([sampleAttack(0.9)], one)).toBeUndefined();
  });

  test('states what the mean limit hides: the most open type, and the words over 60 %', () => {
    const bound = sampleAttack(0.54).success;
    const slice = (value: string, mean: number) => {
      const success = { value: mean, interval: [mean - 0.1, mean + 0.05] as const };
      return { by: 'type', value, trials: 30, success };
    };
    const slices = [slice('NAME', 0.51), slice('FAMILY', 0.93)];
    const text = verdict(
      [sampleAttack(0.5)],
      { ...certified, bound, slices, shareOver60: 0.08 },
      one,
    );
    expect(text).toContain('more than 60.0 % of the cases on average');
    expect(text).toContain('up to 98.0 % where the word is FAMILY');
    expect(text).toContain('8.0 % of these pairs are over 60 %');
  });

  test('does not deny what the strongest attack did with luck', () => {
    const bound = sampleAttack(0.9).success;
    const text = verdict([sampleAttack(0.98)], { ...certified, bound }, one);
    expect(text).toContain('more than 96.0 % of the cases on average in the long run');
    expect(text).toContain('(90.0 % on this audit’s own pairs, and 50 % is a coin)');
    expect(text).toContain('which the 98.0 % of the tries above are within chance of');
  });
});

test('attacks are ordered by what they gain over guessing', () => {
  const attacks = [sampleAttack(0.6), sampleAttack(0.9), sampleAttack(0.7)];
  expect(strongestFirst(attacks, one).map(({ success }) => success.value)).toEqual([0.9, 0.7, 0.6]);
});

test('an attack that was tried a few times with luck does not lead', () => {
  const lucky = sampleAttack(0.9, {
    task: 'find the sentence',
    gain: { value: 0.4, interval: [0.02, 0.5], corrected: [0.01, 0.5] },
  });
  expect(strongestFirst([lucky, sampleAttack(0.7)], one)[0].success.value).toBe(0.7);
});

test('an attack that always answers alike comes after any that gains something', () => {
  const zero: [number, number] = [0, 0];
  const constant = sampleAttack(0.54, {
    task: 'infer the sex',
    chance: 0.54,
    gain: { value: 0, interval: zero, corrected: zero },
  });
  const attacks = [constant, sampleAttack(0.51), sampleAttack(0.49)];
  expect(strongestFirst(attacks, one).map(({ success }) => success.value)).toEqual([
    0.51, 0.54, 0.49,
  ]);
});
