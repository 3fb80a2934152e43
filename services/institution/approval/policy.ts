import type { KeyObject } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { readDistinctPublicKeys } from '../../../models/bundle/key-files.js';
import type { Trust } from '../../../models/bundle/verify.js';
import type { Certification } from '../release/job/certified-job.js';
import type { EncodeOptions } from '../release/job/encode-options.js';
import { DEFAULT_NEIGHBOURS } from '../release/ledger/default-neighbours.js';
import { type PolicyFile, readPolicyFile } from './policy-file.js';

/** A policy with its keys read. */
export interface Policy extends Omit<PolicyFile, 'publisherKeys' | 'audit'> {
  readonly publisherKeys: readonly KeyObject[];
  readonly neighbours: number;
  readonly audit?: Omit<NonNullable<PolicyFile['audit']>, 'auditorKeys'> & {
    readonly auditorKeys: readonly KeyObject[];
    readonly minNeighbours: number;
    readonly minTestDocuments: number;
  };
}

/** Fewer notes give intervals too wide to tell a good model from a bad one. */
const TEST_DOCUMENTS = 20;

/** Throws `file-not-found`, `config-invalid` or `key-invalid`. */
export async function readPolicy(file: string): Promise<Policy> {
  const keys = (files: readonly string[]) =>
    readDistinctPublicKeys(files.map((name) => resolve(dirname(file), name)));
  const {
    publisherKeys,
    audit,
    neighbours = DEFAULT_NEIGHBOURS,
    ...rest
  } = await readPolicyFile(file);
  return {
    ...rest,
    neighbours,
    publisherKeys: await keys(publisherKeys),
    ...(audit && {
      audit: {
        minNeighbours: neighbours,
        minTestDocuments: TEST_DOCUMENTS,
        ...audit,
        auditorKeys: await keys(audit.auditorKeys),
      },
    }),
  };
}

/** Whose signatures a policy asks for. */
export function trustOf({ publisherKeys, signedBy }: Policy): Trust {
  return { trustedKeys: publisherKeys, signedBy };
}

/** What a policy says of one encoding job; of a limit, where the job keeps any entity. */
export function encodingLimits(
  policy: Policy,
  job: Pick<EncodeOptions, 'entities' | 'keptTypes'>,
): {
  readonly maxReleases: number;
  readonly minDocuments: number;
  readonly ledger: string | undefined;
  readonly certification: Certification | undefined;
  readonly maxAlike: number | undefined;
  readonly labelDocuments: number | undefined;
  readonly inventoryDigest: string | undefined;
} {
  const { maxReleases, minDocuments, ledger, maxAlike, labelDocuments } = policy;
  const keepsEntities = job.entities === 'kept' || (job.keptTypes ?? []).length > 0;
  const { certifiedLimit, neighbours, maxSentencesPerEntity } = policy;
  const certification =
    certifiedLimit === undefined || !keepsEntities
      ? undefined
      : { limit: certifiedLimit, neighbours, maxSentencesPerEntity };
  return {
    ...{ maxReleases, minDocuments, ledger, certification },
    ...{ maxAlike, labelDocuments, inventoryDigest: policy.inventory },
  };
}
