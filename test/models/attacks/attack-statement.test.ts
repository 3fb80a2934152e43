import { describe, expect, test } from '@jest/globals';
import { ATTACK_TASKS } from '../../../models/attacks/attack.js';
import { statementOf } from '../../../models/attacks/attack-statement.js';

describe('the statement that an attack speaks to', () => {
  test('is labelled PHI where entities were kept, and a name that nobody labelled where surrogates stand for them', () => {
    for (const task of ['tell a pair apart', 'name the entity', 'link two names'] as const) {
      expect(statementOf(task, false)).toBe('labelled PHI');
      expect(statementOf(task, true)).toBe('a name that nobody labelled');
    }
  });

  test('is labelled PHI for the attack that is after what was replaced', () => {
    expect(statementOf('name the replaced entity', true)).toBe('labelled PHI');
  });

  test('is the rest of the text for what is no PHI, whatever became of entities', () => {
    for (const task of ['read other words', 'confirm a note', 'find the sentence'] as const)
      expect([statementOf(task, false), statementOf(task, true)]).toEqual([
        'the rest of the text',
        'the rest of the text',
      ]);
  });

  test('is missing for attacks on the notes of the provider alone', () => {
    expect(ATTACK_TASKS.filter((task) => statementOf(task, true) === undefined)).toEqual([
      'recognise training notes',
    ]);
  });
});
