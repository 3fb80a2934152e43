import type { AttackTask } from './attack.js';
import type { Statement } from './statement.js';

/** What a task is after: names as they were encoded, names that were replaced, the rest, or the provider's notes. */
const AFTER: Readonly<Record<AttackTask, 'encoded' | 'replaced' | 'rest' | 'provider'>> = {
  'tell a pair apart': 'encoded',
  'name the word': 'encoded',
  'name several words': 'encoded',
  'name the entity': 'encoded',
  'name the replaced entity': 'replaced',
  'read the PHI': 'encoded',
  'read other words': 'rest',
  'read a word of a known sentence': 'rest',
  'find the sentence': 'rest',
  'confirm a sentence': 'rest',
  'confirm a note': 'rest',
  'link two names': 'encoded',
  'infer the sex': 'encoded',
  'infer the age group': 'encoded',
  'recognise training notes': 'provider',
};

/**
 * The statement that an attack of a task speaks to. Where surrogates were encoded for labelled PHI, what is learned of a
 * surrogate is what would be learned of a name in its place that nobody labelled; what was labelled is
 * attacked by the task that is after it. Undefined for attacks on the provider's own notes.
 */
export function statementOf(task: AttackTask, isReplaced: boolean): Statement | undefined {
  const after = AFTER[task];
  if (after === 'provider') return undefined;
  if (after === 'rest') return 'the rest of the text';
  return after === 'encoded' && isReplaced ? 'a name that nobody labelled' : 'labelled PHI';
}
