import { expect, test } from '@jest/globals';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { trainingStatement } from '../../../models/training/statement.js';

test.each(['certified', 'pseudonymized', 'augmented'] as const)(
  'a model of objective %s says that numbers moved among their neighbours, and nothing where among all',
  (objective) => {
    const stated = (digitMoves: 'any' | 'neighbours') =>
      trainingStatement(objective, trainingConfig({ digitMoves }));
    expect(stated('neighbours')).toEqual({
      ...stated('any'),
      'numbers move among': 'neighbours',
    });
    expect(Object.keys(stated('any'))).not.toContain('numbers move among');
  },
);
