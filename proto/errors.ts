/**
 * Every expected failure, declared once: a stable code, the exit status of the `tacet` command and
 * the HTTP status of the services. Exit statuses: 1 failed, 2 usage, 3 bad input, 4 refused by
 * policy or signature, 130 interrupted.
 */
export const ERRORS = {
  usage: { exit: 2, status: 400, title: 'The command line is wrong' },
  'config-invalid': { exit: 2, status: 400, title: 'The configuration is wrong' },
  'file-not-found': { exit: 3, status: 404, title: 'A file is missing' },
  'file-exists': { exit: 3, status: 409, title: 'A file is in the way' },
  'file-unreadable': { exit: 3, status: 400, title: 'A file cannot be read' },
  'file-unwritable': { exit: 1, status: 500, title: 'A file cannot be written' },
  'file-denied': { exit: 1, status: 500, title: 'A file is not for this user' },
  'too-many-files': { exit: 1, status: 503, title: 'Too many files are open' },
  'disk-full': { exit: 1, status: 507, title: 'The disk is full' },
  'disk-failed': { exit: 1, status: 500, title: 'The disk failed' },
  'corpus-invalid': { exit: 3, status: 400, title: 'A corpus file is malformed' },
  'record-invalid': { exit: 3, status: 400, title: 'A health record is malformed' },
  'record-unsupported': { exit: 3, status: 422, title: 'A health record holds what no rule knows' },
  'inventory-invalid': { exit: 3, status: 422, title: 'An inventory of entities is malformed' },
  'inventory-missing': { exit: 4, status: 409, title: 'Nothing can stand for an entity' },
  'type-names-somebody': {
    exit: 4,
    status: 409,
    title: 'Entities of a type are always replaced',
  },
  'label-unknown': { exit: 3, status: 400, title: 'A PHI type is not in the label scheme' },
  'embeddings-invalid': { exit: 3, status: 400, title: 'An embeddings file is malformed' },
  'memory-full': { exit: 1, status: 503, title: 'There is no memory left' },
  'tensor-invalid': { exit: 1, status: 500, title: 'A tensor operation was given wrong input' },
  'addon-missing': { exit: 1, status: 500, title: 'The native kernels are not built' },
  'backend-missing': { exit: 1, status: 500, title: 'A tensor backend is not installed' },
  'training-diverged': { exit: 1, status: 500, title: 'Training diverged' },
  'experiment-failed': { exit: 1, status: 500, title: 'Some runs of an experiment failed' },
  'randomness-missing': { exit: 1, status: 500, title: 'There is no randomness for noise' },
  'run-busy': { exit: 1, status: 409, title: 'Another process works on this run' },
  'checkpoint-invalid': { exit: 3, status: 400, title: 'A checkpoint does not fit this run' },
  'bundle-invalid': { exit: 4, status: 422, title: 'A bundle is malformed' },
  'bundle-digest': { exit: 4, status: 422, title: 'A bundle file differs from its digest' },
  'bundle-file-missing': { exit: 4, status: 422, title: 'A bundle lacks a file' },
  'bundle-file-extra': { exit: 4, status: 422, title: 'A bundle holds a file that is not signed' },
  'bundle-file-unsafe': { exit: 4, status: 422, title: 'A bundle holds something that is no file' },
  'bundle-signature': { exit: 4, status: 422, title: 'A bundle signature does not verify' },
  'key-invalid': { exit: 3, status: 400, title: 'A key is malformed' },
  'key-untrusted': { exit: 4, status: 403, title: 'A key is not trusted' },
  'pipeline-missing': { exit: 3, status: 404, title: 'No pipeline is ready' },
  'not-certified': { exit: 4, status: 422, title: 'Nothing bounds what a representation reveals' },
  'model-unsuitable': { exit: 4, status: 409, title: 'A model does not fit this encoder' },
  'tokenisation-unsupported': { exit: 4, status: 409, title: 'A model has another tokenisation' },
  'model-revoked': { exit: 4, status: 410, title: 'A model was revoked' },
  'revocation-unknown': { exit: 4, status: 409, title: 'Revocation could not be checked' },
  'ledger-invalid': { exit: 4, status: 500, title: 'The ledger of releases is damaged' },
  'ledger-copied': {
    exit: 4,
    status: 409,
    title: 'The ledger is a copy, or an older state of one',
  },
  'home-missing': { exit: 3, status: 404, title: 'The home of an encoder is missing' },
  'ledger-foreign': { exit: 4, status: 409, title: 'The home holds another ledger' },
  'history-uncertified': { exit: 4, status: 409, title: 'Earlier releases were never certified' },
  'bounds-laxer': { exit: 4, status: 409, title: 'Earlier releases kept to stricter bounds' },
  'treatment-other': { exit: 4, status: 409, title: 'Earlier releases treated entities otherwise' },
  'policy-otherwise': { exit: 4, status: 409, title: 'The policy asks for something else' },
  'documents-too-few': { exit: 4, status: 409, title: 'Too few documents have something new' },
  'entities-missing': { exit: 4, status: 409, title: 'No document has an annotated entity' },
  'federation-update-invalid': {
    exit: 4,
    status: 422,
    title: 'An update of a federation does not fit',
  },
  'federation-round-past': { exit: 1, status: 409, title: 'A round of a federation is over' },
  'lease-lost': {
    exit: 1,
    status: 409,
    title: "A training job is not, or no longer, this worker's",
  },
  'job-abandoned': { exit: 1, status: 500, title: 'Every worker of a training job was lost' },
  'not-ready': { exit: 4, status: 409, title: 'Something that a job needs is missing' },
  'audit-invalid': { exit: 3, status: 422, title: 'An audit is malformed' },
  'signature-invalid': { exit: 4, status: 422, title: 'A signature does not verify' },
  'segment-invalid': { exit: 3, status: 422, title: 'A segment is malformed' },
  'contribution-invalid': { exit: 3, status: 422, title: 'A contribution is malformed' },
  'digest-mismatch': { exit: 3, status: 422, title: 'Bytes differ from their digest' },
  'not-found': { exit: 3, status: 404, title: 'There is no such thing' },
  'route-unknown': { exit: 3, status: 404, title: 'A server has no such route' },
  conflict: { exit: 3, status: 409, title: 'That exists already' },
  unauthorized: { exit: 4, status: 401, title: 'A valid bearer token is needed' },
  forbidden: { exit: 4, status: 403, title: 'The token may not do this' },
  withdrawn: { exit: 3, status: 410, title: 'That was withdrawn' },
  'pool-busy': { exit: 1, status: 503, title: 'Others contribute to the same model' },
  'store-busy': { exit: 1, status: 503, title: 'Another process serves this store' },
  'store-version': { exit: 1, status: 503, title: 'The store is newer than this program' },
  'store-damaged': { exit: 1, status: 500, title: 'The store is damaged' },
  'catalog-unreachable': { exit: 1, status: 503, title: 'The catalog cannot be reached' },
  'outcome-unknown': { exit: 1, status: 503, title: 'Whether it was done is not known' },
  'log-broken': { exit: 4, status: 500, title: 'A log does not tell one story' },
  'store-full': { exit: 1, status: 507, title: 'The store is full' },
  'store-unavailable': { exit: 1, status: 503, title: 'The object storage cannot be reached' },
  'bucket-missing': { exit: 1, status: 503, title: 'There is no such bucket' },
  'bucket-denied': { exit: 4, status: 503, title: 'The object storage refuses access' },
  'bucket-unsuitable': {
    exit: 4,
    status: 503,
    title: 'A bucket cannot keep what a store promises',
  },
  'clock-wrong': { exit: 1, status: 503, title: 'Two clocks disagree' },
  'quota-exceeded': { exit: 4, status: 403, title: 'An institution has used up its quota' },
  'too-many-waiting': {
    exit: 4,
    status: 429,
    title: 'As many things wait as one name may ask for',
  },
  'too-many-kept': { exit: 4, status: 403, title: 'As many things are kept of one name as may be' },
  'rate-limited': { exit: 1, status: 429, title: 'There are too many requests' },
  'body-too-large': { exit: 3, status: 413, title: 'The body is too large' },
  'range-invalid': { exit: 3, status: 416, title: 'There are no such bytes' },
  'not-acceptable': { exit: 3, status: 406, title: 'There is no such format' },
  'request-invalid': { exit: 3, status: 400, title: 'The request is malformed' },
  'server-unreachable': { exit: 1, status: 502, title: 'A server cannot be reached' },
  'server-failed': { exit: 1, status: 502, title: 'A server failed' },
  'address-in-use': { exit: 1, status: 500, title: 'The address is in use' },
  'address-invalid': { exit: 2, status: 500, title: 'The address cannot be bound' },
  interrupted: { exit: 130, status: 503, title: 'Interrupted' },
  internal: { exit: 1, status: 500, title: 'An unexpected failure' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/**
 * An expected failure. `message` says what was wrong, where, what was expected and what to do, and
 * never holds text of a document.
 */
export class TacetError extends Error {
  override readonly name = 'TacetError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get exit(): number {
    return ERRORS[this.code].exit;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
