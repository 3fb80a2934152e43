import { describe, expect, test } from '@jest/globals';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { sentencesOf } from '../../../models/text/labelled-sentence.js';

describe('sentencesOf', () => {
  const text = 'Nombre: Ana Ruiz.\nVive en Jaén. Edad 70.';
  const document = {
    id: 'a',
    text,
    spans: [
      { type: 'NOMBRE_SUJETO_ASISTENCIA', start: 8, end: 16 },
      { type: 'TERRITORIO', start: 26, end: 30 },
    ],
  };
  const scheme = loadLabelScheme('meddocan');
  const sentences = sentencesOf(document, scheme, 7);

  test('carries the labels of each token', () => {
    expect(sentences.map(({ tokens }) => tokens.map((token) => token.text).join(' '))).toEqual([
      'Nombre : Ana Ruiz .',
      'Vive en Jaén .',
      'Edad 70 .',
    ]);
    for (const { tokens, labels, documentIndex } of sentences) {
      expect(labels).toHaveLength(tokens.length);
      expect(documentIndex).toBe(7);
    }
    expect([...(sentences[0]?.labels ?? [])].map((id) => scheme.labels[id])).toEqual([
      'O',
      'O',
      'B-NOMBRE_SUJETO_ASISTENCIA',
      'I-NOMBRE_SUJETO_ASISTENCIA',
      'O',
    ]);
  });

  test('gives no sentence for a text of white space', () => {
    expect(sentencesOf({ id: 'b', text: ' \n\n ', spans: [] }, scheme, 0)).toEqual([]);
  });
});
