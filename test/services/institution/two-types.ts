import { createLabelScheme } from '../../../models/text/label-scheme.js';

/** Names, and what describes. */
export const TWO_TYPES = createLabelScheme({
  name: 'two-types',
  version: '1',
  types: ['PHI', 'ORG'],
  map: { HOSPITAL: 'ORG' },
  describes: ['ORG'],
});
