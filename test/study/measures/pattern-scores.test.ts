import { expect, test } from '@jest/globals';
import { patternScores } from '../../../study/measures/pattern-scores.js';

test('findings are scored by their tokens, and labelled types by the tokens that are found', async () => {
  const text = 'Born 3 May 2018 near May 7.';
  const at = (phrase: string) => {
    const start = text.indexOf(phrase);
    return { start, end: start + phrase.length };
  };
  const documents = [
    { id: '1', text, spans: [{ type: 'DATE', ...at('3 May 2018') }] },
    {
      id: '2',
      text,
      spans: [
        { type: 'DATE', ...at('3 May 2018') },
        { type: 'ID', ...at('7') },
      ],
    },
  ];
  const finding = { recogniser: 'R', pattern: 'p' };
  const found = [
    { ...finding, ...at('3 May 2018') },
    { ...finding, ...at('near') },
    { ...finding, pattern: 'q', ...at('May 2018') },
  ];
  expect(await patternScores(documents, async () => found)).toEqual({
    patterns: [
      { ...finding, findings: 4, exact: 2, tokens: 8, phiTokens: 6 },
      { ...finding, pattern: 'q', findings: 2, exact: 0, tokens: 4, phiTokens: 4 },
    ],
    types: [
      { type: 'DATE', tokens: 6, found: 6 },
      { type: 'ID', tokens: 1, found: 0 },
    ],
  });
});
