import type { ComponentChildren, VNode } from 'preact';
import { Facts } from '../../../platform/pages/facts.js';
import { Time } from '../../../platform/pages/time.js';
import type { AuditReport } from './audit-report.js';

/** What a reader knows of an audit beside what it says itself. */
export interface AuditStanding {
  /** Undefined where nobody has signed it. */
  readonly signature?: AuditSignature | undefined;
  /** By the registry's name for who published the model. */
  readonly publisher?: string | undefined;
  /** Undefined where no policy was given. */
  readonly policy?: PolicyOutcome | undefined;
}

/** A signature that was verified. */
export interface AuditSignature {
  /** Each key that signed it, and whose it is, by the registry. */
  readonly auditors: readonly { readonly keyId: string; readonly name?: string | undefined }[];
  readonly registry: string;
  /** ISO 8601: when it reached the registry. */
  readonly attached: string;
}

/** What an institution's policy says of an audit. */
export interface PolicyOutcome {
  /** Of its file. */
  readonly name: string;
  readonly asksForAudit: boolean;
  /** Why the audit is not enough; undefined where it is. */
  readonly against: string | undefined;
}

const ATTACKED = {
  bundle: 'the bundle as it is published',
  contribution: 'releases that are about to be shared',
  'replaced-contribution':
    'releases that are about to be shared, another entity encoded in the place of each labelled one: of those nothing ' +
    'leaves, and the names that are attacked here are surrogates, so that this is what a name that nobody labelled risks',
  'noise-off': 'for comparison, and not what anyone is given: the bundle without its noise',
  'raw-embeddings': 'for comparison, and not what anyone is given: word vectors, no bundle',
} as const;

export interface AuditFactsProps {
  readonly report: AuditReport;
  readonly standing: AuditStanding;
}

/** What was audited, by whom, on what, when, and what a policy says of it. */
export function AuditFacts({ report, standing }: AuditFactsProps): VNode {
  const { heading, attacked, candidates, seed } = report;
  return (
    <Facts
      facts={[
        ['Model', modelOf(report)],
        ['Publisher', publisherOf(report, standing)],
        ['Trained on', trainingFact(report)],
        ['Attacked', ATTACKED[attacked]],
        ['Audited', heading ? <Time iso={heading.created} precision="day" /> : NOT_STATED],
        ['Auditor', auditorOf(standing)],
        ['Corpus', corpusOf(report)],
        ['Candidates', `a word moves among ${candidates}; seed ${seed}`],
        ['Policy', policyText(standing)],
      ]}
    />
  );
}

const NOT_STATED = 'not stated by audits of this format';

function modelOf({ heading, model }: AuditReport): VNode {
  return (
    <>
      {heading ? (
        <strong>
          {heading.name} {heading.version}
        </strong>
      ) : (
        NOT_STATED
      )}{' '}
      <span class="id">SHA-256 {model}</span>
    </>
  );
}

function publisherOf({ heading }: AuditReport, { publisher }: AuditStanding): ComponentChildren {
  const keys = heading?.publisherKeys ?? [];
  if (publisher === undefined && keys.length === 0) return NOT_STATED;
  return (
    <>
      {publisher !== undefined && `${publisher}, as the registry says `}
      {keys.map(keyText)}
    </>
  );
}

function trainingFact({ heading }: AuditReport): string {
  if (!heading) return NOT_STATED;
  const { trainedOn = 'not stated by the model', language } = heading;
  return language === undefined ? trainedOn : `${trainedOn} (language ${language})`;
}

function corpusOf({ heading, documents: { train, validation, test } }: AuditReport): string {
  const corpus = heading ? `${heading.corpus}, ` : '';
  return (
    `${corpus}${train + validation + test} labelled notes: attackers learned from ${train}, ` +
    `stopped by ${validation}, and were measured on ${test}`
  );
}

function auditorOf({ signature }: AuditStanding): ComponentChildren {
  if (!signature) return 'nobody has signed this copy: tacet audit publish signs and attaches it';
  const { auditors, registry, attached } = signature;
  return (
    <>
      attached to {registry} on <Time iso={attached} precision="day" />, signed by{' '}
      {auditors.map(({ keyId, name }) => (
        <>
          {name !== undefined && `${name}, as the registry says: `}
          {keyText(keyId)}
        </>
      ))}
    </>
  );
}

function keyText(keyId: string): VNode {
  return (
    <>
      <span class="id">key {keyId}</span>{' '}
    </>
  );
}

/** The same in words for a line of a terminal. */
export function policyText({ policy }: AuditStanding): string {
  if (!policy) return 'no policy was given to hold this audit to';
  const { name, asksForAudit, against } = policy;
  if (!asksForAudit) return `${name} asks for no audit`;
  if (against === undefined) return `${name} accepts this audit`;
  return `${name} does not accept this audit: ${against}`;
}
