import type { KeyObject } from 'node:crypto';
import path from 'node:path';
import type { AuditHeading } from '../../../models/attacks/report/audit-heading.js';
import { peekBundle } from '../../../models/bundle/verify.js';
import { keyIdOf } from '../../../proto/dsse.js';
import type { AuditNotesOptions } from './audit-notes.js';

/**
 * The heading of an audit of a bundle that was verified under `trustedKeys`, on the notes in the files
 * or folders of `corpus`, which the report calls `corpusName`; its time is now.
 */
export async function auditHeading(
  bundle: string,
  trustedKeys: readonly KeyObject[],
  { corpus, corpusName }: Pick<AuditNotesOptions, 'corpus' | 'corpusName'>,
): Promise<AuditHeading> {
  const { manifest, signers } = await peekBundle(bundle);
  const { name, version, training } = manifest;
  const trainedOn = training.corpus ?? training.snapshot;
  return {
    ...{ name, version },
    // Verifying refuses a wrong signature of a trusted key, so that these are known to have signed.
    publisherKeys: trustedKeys.map(keyIdOf).filter((keyId) => signers.includes(keyId)),
    ...(trainedOn !== undefined && { trainedOn: String(trainedOn) }),
    ...(training.language !== undefined && { language: String(training.language) }),
    corpus: corpusName ?? corpus.map((each) => path.basename(path.resolve(each))).join(', '),
    created: new Date().toISOString(),
  };
}
