import { expect, test } from '@jest/globals';
import { isCalibrated } from '../../../../models/attacks/learned/calibrated.js';
import { sampleAttack } from '../sample-audit.js';

test('an attack is calibrated unless it fails on the word vectors themselves', () => {
  const attack = sampleAttack(0.5, { name: 'sex' });
  const onRaw = (success: number) =>
    sampleAttack(success, { name: 'sex-raw-embeddings', role: 'upper baseline' });
  expect(isCalibrated(attack, [])).toBe(true);
  expect(isCalibrated(attack, [onRaw(0.99)])).toBe(true);
  expect(isCalibrated(attack, [onRaw(0.52)])).toBe(false);
  expect(isCalibrated(attack, [{ ...onRaw(0.52), name: 'age-raw-embeddings' }])).toBe(true);
});
