interface Limit {
  /** What it limits, in words. */
  readonly description: string;
  readonly default: number;
}

/** What one caller may take of a server. */
export const LIMITS = {
  // Unfinished uploads included, whichever token of the name began them.
  quotaBytes: {
    description: 'bytes that one institution or provider may have stored',
    default: 100 * 2 ** 30,
  },
  openUploads: { description: 'uploads that one token may have unfinished', default: 64 },
  waitingKeys: { description: 'keys of one name that may wait for approval', default: 16 },
  waitingJobs: { description: 'training jobs of one name that may wait for a worker', default: 32 },
  snapshotRuns: {
    description: 'training runs of one name that may use a snapshot',
    default: 1000,
  },
  modelAudits: { description: 'audits of one model that one key may sign', default: 32 },
  requestsPerMinute: { description: 'requests that one token may send', default: 6000 },
  // An upload that is cut off goes on in the next request.
  requestSeconds: { description: 'longest time for a request to arrive', default: 600 },
  idleSeconds: { description: 'a connection without traffic is closed after this', default: 120 },
  connections: { description: 'connections at a time', default: 1000 },
  readings: {
    description:
      'snapshots that are read at a time, each in some 20 MB (twice that from a bucket), a half of them at most by one token',
    default: 64,
  },
  // So that withdrawals and the catalog have room.
  reserveBytes: {
    description: 'bytes of the disk that are left for withdrawals and removals',
    default: 64 * 2 ** 20,
  },
  jobSeconds: {
    description: 'a training job is free again when its worker was silent for this',
    default: 120,
  },
  uploadHours: { description: 'an unfinished upload is dropped after this', default: 48 },
  blobHours: {
    description: 'an uploaded file that nothing uses is dropped after this',
    default: 168,
  },
} as const satisfies Readonly<Record<string, Limit>>;

export type Limits = { readonly [Name in keyof typeof LIMITS]: number };

export const DEFAULT_LIMITS = Object.fromEntries(
  Object.entries(LIMITS).map(([name, limit]) => [name, limit.default]),
) as Limits;
