import { expect, test } from '@jest/globals';
import type { Manifest } from '../../../../models/bundle/manifest.js';
import { statedScheme } from '../../../../models/bundle/stated-scheme.js';
import { loadLabelScheme } from '../../../../models/text/label-scheme.js';
import { requireScheme } from '../../../../services/institution/bundles/fitted-bundle.js';

const labelScheme = statedScheme(loadLabelScheme('synthetic'));
const schemeFor = (kind: Manifest['kind'], name?: string) =>
  requireScheme('bundle', { kind, labelScheme } as Manifest, name);
const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'model-unsuitable', message: expect.stringMatching(message) });

test('a scheme with other labels than the model is refused by name, with those that would do', () => {
  expect(schemeFor('representation', 'synthetic').digest).toBe(labelScheme.digest);
  expect(schemeFor('representation', 'phi-binary').name).toBe('phi-binary');
  expect(() => schemeFor('representation', 'meddocan')).toThrow(
    refused(/^bundle: its labels are those of synthetic .*, and meddocan has others .* phi-binary/),
  );
  expect(() => schemeFor('pipeline', 'meddocan')).toThrow(
    refused(/takes the model's own, or find/),
  );
});
