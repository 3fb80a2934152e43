import { describe, expect, test } from '@jest/globals';
import { judgedNotes, type Note, sentence } from './judged-notes.js';

const squaredOf = () => new Float64Array(2);
/** Twins of `garcia` are `lopez` and itself. */
const twinOf = (word: string, twin: number) =>
  word === 'garcia' && twin === 1 ? word : `${word}${twin}`;

function movesOf(...notes: Note[]): Record<string, Record<string, readonly string[]>> {
  const { moves } = judgedNotes(notes, { twinOf, squaredOf });
  return Object.fromEntries([...moves].map(([name, own]) => [name, Object.fromEntries(own)]));
}

describe('names that move with an entity', () => {
  test('are those of its note that hold a word of it, in that word alone', () => {
    const moves = movesOf(
      [sentence(['ana garcia', 'pedro garcia']), sentence(['garcia']), sentence(['luis ruiz'])],
      [sentence(['rosa garcia'])],
    );
    expect(moves['ana garcia']).toEqual({
      'ana garcia': ['ana0 garcia0', 'ana1 garcia'],
      'pedro garcia': ['pedro garcia0', 'pedro garcia'],
      garcia: ['garcia0', 'garcia'],
    });
    expect(moves.garcia).toEqual({
      'ana garcia': ['ana garcia0', 'ana garcia'],
      'pedro garcia': ['pedro garcia0', 'pedro garcia'],
      garcia: ['garcia0', 'garcia'],
    });
  });

  test('are not those that share a number or a word without a meaning of its own', () => {
    const moves = movesOf([sentence(['12 de mayo', '3 de mayo']), sentence(['12 de abril'])]);
    expect(Object.keys(moves['12 de abril'] ?? {})).toEqual(['12 de abril']);
    expect(Object.keys(moves['3 de mayo'] ?? {})).toEqual(['12 de mayo', '3 de mayo']);
    expect(moves['3 de mayo']?.['12 de mayo']).toEqual(['12 de mayo0', '12 de mayo1']);
  });

  test('have what becomes of each word that is shared, though it stands nowhere alone', () => {
    expect(movesOf([sentence(['ana garcia'])]).garcia).toEqual({ garcia: ['garcia0', 'garcia'] });
  });
});
