import { readFileSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import {
  anonymize,
  parseAnonymizeRequest,
} from '../../../../../services/institution/deidentify/presidio/anonymize.js';
import { testWithData } from '../../../../shared-data.js';

interface Sentence {
  readonly full_text: string;
  /** The text with `{{TYPE}}` in the place of each span, as Presidio's authors made it. */
  readonly masked: string;
  readonly spans: readonly {
    readonly entity_type: string;
    readonly start_position: number;
    readonly end_position: number;
  }[];
}

/** In the other 57 the template has other types than the spans. */
const CONSISTENT = 1443;

describe('Presidio’s anonymizer', () => {
  testWithData(
    `puts types where Presidio’s own data set has them, in ${CONSISTENT} of 1,500 sentences`,
    'presidio/synth_dataset_v2.json',
    (path) => {
      const sentences: Sentence[] = JSON.parse(readFileSync(path, 'utf8'));
      const equal = sentences.filter(({ full_text, masked, spans }) => {
        const types = [...new Set(spans.map(({ entity_type }) => entity_type))];
        const request = parseAnonymizeRequest({
          text: full_text,
          analyzer_results: spans.map(({ entity_type, start_position, end_position }) => ({
            ...{ start: start_position, end: end_position, score: 1, entity_type },
          })),
          anonymizers: Object.fromEntries(
            types.map((type) => [type, { type: 'replace', new_value: `{{${type}}}` }]),
          ),
        });
        return anonymize(request).text === masked;
      });
      expect(sentences).toHaveLength(1500);
      expect(equal).toHaveLength(CONSISTENT);
    },
  );
});
