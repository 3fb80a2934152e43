import { describe, expect, test } from '@jest/globals';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { suspectsIn } from '../../../models/text/suspects.js';

const SCHEME = loadLabelScheme('phi-binary');

describe('suspects of a name that is labelled in part', () => {
  const text = 'Dr. Ana María Ruiz Gil was seen by Eva.';
  const labelled = (...names: readonly string[]) =>
    names.map((name) => {
      const start = text.indexOf(name);
      return { type: 'PHI', start, end: start + name.length };
    });
  const restOf = async (found: string, spans: ReturnType<typeof labelled>) => {
    const suspects = await suspectsIn({ text, spans }, async () => labelled(found), SCHEME);
    return suspects.map(({ start, end }) => text.slice(start, end));
  };

  test('are what stands before, between and behind the labels', async () => {
    expect(await restOf('Ana María Ruiz Gil', labelled('María', 'Gil'))).toEqual(['Ana', 'Ruiz']);
    expect(await restOf('Ana María Ruiz', labelled('Ana', 'María'))).toEqual(['Ruiz']);
    expect(await restOf('María Ruiz', labelled('Ruiz Gil'))).toEqual(['María']);
    expect(await restOf('Ruiz Gil', labelled('María Ruiz'))).toEqual(['Gil']);
    expect(await restOf('Eva.', labelled('Ana', 'Eva'))).toEqual([]);
  });

  test('are none where it lies within a label', async () => {
    expect(await restOf('María', labelled('Ana María Ruiz'))).toEqual([]);
  });
});
