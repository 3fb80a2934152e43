import type { EncodeReport } from '../../../../../services/institution/release/job/encode-report.js';
import type {
  BoundSummary,
  JobBoundsReport,
} from '../../../../../services/institution/release/job/job-bounds.js';

const SUMMARY: BoundSummary = {
  ...{ count: 105, median: 0.6, percentile95: 0.96, percentile99: 0.98, maximum: 1, over: 5 },
};
const SUMMARIES = { before: SUMMARY, after: SUMMARY };

/** Of a job that kept some types. */
export const SAMPLE_BOUNDS: JobBoundsReport = {
  ...{ limit: 0.97, withheldTypes: [], told: 0, entities: SUMMARIES, documents: SUMMARIES },
};

/** Of a job that replaced all entities. */
export const SAMPLE_REPORT: EncodeReport = {
  ...{ ledger: 'ledger', documents: 30, bad: 0, inexact: 0, sentences: 60, portions: 1 },
  ...{ entityTreatment: 'replaced', keptTypes: [], kept: 0, asText: {} },
  ...{ replaced: 40, inventory: 'inventory', copies: 1, suspects: null },
  ...{ alike: 0, labelDocuments: 10, uncommon: 0, releasable: 60, withheld: 0, rest: 0 },
  ...{ entities: null, immovable: null, bounds: null },
  ...{
    released: 60,
    pieces: 70,
    redrawn: 0,
    skipped: 0,
    tokens: 400,
    segments: ['segment'],
    bytes: 1000,
  },
};
