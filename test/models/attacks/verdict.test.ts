import { describe, expect, test } from '@jest/globals';
import { besideNames, strongestFirst, verdict } from '../../../models/attacks/verdict.js';
import { sampleAttack, sampleAudit } from './sample-audit.js';

const { certified } = sampleAudit();

describe('the verdict', () => {
  test('says what was found, that others may do better, and the limit', () => {
    const text = verdict([sampleAttack(0.52), sampleAttack(0.8)], certified);
    expect(text).toContain('1 of 2 attacks');
    expect(text).toContain('80.0 %');
    expect(text).toContain('others may surpass');
    expect(text).toContain('96.0 %');
  });

  test('never takes failed attacks for safety', () => {
    const text = verdict([sampleAttack(0.52)], certified);
    expect(text).toContain('None of the 1 attacks');
    expect(text).toContain('does not show that no other could');
  });

  test('counts an attack as better than guessing only with all attacks considered', () => {
    // Its own interval is above one half, the corrected one is not.
    expect(verdict([sampleAttack(0.55)], certified)).toContain('None');
  });

  test('declares an audit invalid where an attack beats the limit on all attacks', () => {
    expect(verdict([sampleAttack(1, { limit: sampleAttack(0.6).success })], certified)).toContain(
      'not valid',
    );
  });

  test('names what does not identify apart', () => {
    const other = sampleAttack(0.9, { task: 'find the sentence' });
    expect(verdict([sampleAttack(0.5), other], certified)).toContain('None of the 1 attacks');
    expect(besideNames([sampleAttack(0.5), other])).toContain('does not identify');
    expect(besideNames([sampleAttack(0.9)])).toBeUndefined();
  });
});

test('attacks are ordered by what they gain over guessing', () => {
  const attacks = [sampleAttack(0.6), sampleAttack(0.9), sampleAttack(0.7)];
  expect(strongestFirst(attacks).map(({ success }) => success.value)).toEqual([0.9, 0.7, 0.6]);
});

test('an attack that was tried a few times with luck does not lead', () => {
  const lucky = sampleAttack(0.9, {
    gain: { value: 0.4, interval: [0.02, 0.5], corrected: [0.01, 0.5] },
  });
  expect(strongestFirst([lucky, sampleAttack(0.7)])[0].success.value).toBe(0.7);
});
