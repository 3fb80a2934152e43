/**
 * Every path of the services below `/v1`, for routes and clients alike; parameters in braces, as OpenAPI
 * writes them.
 */
export const PATHS = {
  // Registry and pool.
  uploads: '/v1/uploads',
  upload: '/v1/uploads/{id}',
  blob: '/v1/blobs/{digest}',
  log: '/v1/log',
  logHead: '/v1/log/head',
  identities: '/v1/identities',
  identity: '/v1/identities/{id}',
  identityApproval: '/v1/identities/{id}/approve',
  tokens: '/v1/tokens',
  token: '/v1/tokens/{id}',
  tokenRotation: '/v1/tokens/{id}/rotate',
  // Registry.
  models: '/v1/models',
  model: '/v1/models/{name}/{version}',
  modelDeprecation: '/v1/models/{name}/{version}/deprecate',
  modelRevocation: '/v1/models/{name}/{version}/revoke',
  modelAudits: '/v1/models/{name}/{version}/audits',
  modelAlias: '/v1/models/{name}/aliases/{alias}',
  // Pool.
  contributions: '/v1/contributions',
  contribution: '/v1/contributions/{id}',
  snapshots: '/v1/snapshots',
  snapshot: '/v1/snapshots/{id}',
  snapshotCroissant: '/v1/snapshots/{id}/croissant',
  snapshotDifference: '/v1/snapshots/{id}/diff/{other}',
  snapshotRuns: '/v1/snapshots/{id}/runs',
  snapshotSentences: '/v1/snapshots/{id}/sentences',
  trainingJobs: '/v1/training-jobs',
  trainingJobClaims: '/v1/training-jobs/claims',
  trainingJob: '/v1/training-jobs/{id}',
  trainingJobProlongation: '/v1/training-jobs/{id}/prolong',
  trainingJobRelease: '/v1/training-jobs/{id}/release',
  trainingJobEnd: '/v1/training-jobs/{id}/finish',
  trainingJobFailure: '/v1/training-jobs/{id}/fail',
  trainingJobCheckpoint: '/v1/training-jobs/{id}/checkpoints/{digest}',
  statistics: '/v1/statistics',
  // Coordinator of a federation.
  federation: '/v1/federation',
  federationTask: '/v1/federation/task',
  federationWeights: '/v1/federation/weights',
  federationFirstWeights: '/v1/federation/weights/first',
  federationUpdates: '/v1/federation/updates',
  // Encoder.
  encode: '/v1/encode',
  deidentify: '/v1/deidentify',
  jobs: '/v1/jobs',
  job: '/v1/jobs/{id}',
  jobEvents: '/v1/jobs/{id}/events',
} as const;

export type ServiceName = 'registry' | 'pool' | 'coordinator' | 'encoder';

/** By the first part of a path, those that one service alone has. */
const SERVICES: ReadonlyMap<string, ServiceName> = new Map([
  ['models', 'registry'],
  ['contributions', 'pool'],
  ['snapshots', 'pool'],
  ['training-jobs', 'pool'],
  ['statistics', 'pool'],
  ['federation', 'coordinator'],
  ['encode', 'encoder'],
  ['deidentify', 'encoder'],
  ['jobs', 'encoder'],
]);

/** The one service that has routes at a path; undefined where none has, or several have. */
export function serviceOf(path: string): ServiceName | undefined {
  return SERVICES.get(/^\/v1\/([^/]+)/.exec(path)?.[1] ?? '');
}

/** Whether a path is one of programs. */
export function isServicePath(path: string): boolean {
  return path.startsWith('/v1/');
}

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

/** A path with its parameters in their places, whatever characters they have. */
export function pathTo<Path extends string>(
  path: Path,
  parameters: Readonly<Record<ParameterOf<Path>, string>>,
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: ParameterOf<Path>) =>
    encodeURIComponent(parameters[name]),
  );
}
