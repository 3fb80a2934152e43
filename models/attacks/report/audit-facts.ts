import { type Html, html } from '../../charts/html.js';
import type { AuditReport } from '../audit.js';

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

/** What was audited, by whom, on what, when, and what a policy says of it. */
export function auditFacts(report: AuditReport, standing: AuditStanding): Html {
  const { heading, model, attacked, documents, candidates, seed } = report;
  const notes = documents.train + documents.validation + documents.test;
  const facts: readonly (readonly [name: string, value: Html])[] = [
    [
      'Model',
      html`${heading ? html`<strong>${heading.name} ${heading.version}</strong>` : NOT_STATED} <span class="id">SHA-256 ${model}</span>`,
    ],
    ['Publisher', publisherOf(report, standing)],
    ['Trained on', trainingFact(report)],
    ['Attacked', html`${ATTACKED[attacked]}`],
    ['Audited', heading ? html`${heading.created.slice(0, 10)}` : NOT_STATED],
    ['Auditor', auditorOf(standing)],
    [
      'Corpus',
      html`${heading ? html`${heading.corpus}, ` : ''}${notes} labelled notes: attackers learned from ${documents.train}, stopped by ${documents.validation}, and were measured on ${documents.test}`,
    ],
    ['Candidates', html`a word moves among ${candidates}; seed ${seed}`],
    ['Policy', html`${policyText(standing)}`],
  ];
  return html`<dl class="about">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

const NOT_STATED = html`not stated by audits of this format`;

function publisherOf({ heading }: AuditReport, { publisher }: AuditStanding): Html {
  const keys = heading?.publisherKeys ?? [];
  const name = publisher === undefined ? [] : [html`${publisher}, as the registry says `];
  const signed = keys.map((keyId) => html`<span class="id">key ${keyId}</span> `);
  return name.length + signed.length > 0 ? html`${[...name, ...signed]}` : NOT_STATED;
}

function trainingFact({ heading }: AuditReport): Html {
  if (!heading) return NOT_STATED;
  const { trainedOn = 'not stated by the model', language } = heading;
  return html`${trainedOn}${language === undefined ? '' : ` (language ${language})`}`;
}

function auditorOf({ signature }: AuditStanding): Html {
  if (!signature)
    return html`nobody has signed this copy: tacet audit publish signs and attaches it`;
  const { auditors, registry, attached } = signature;
  const keys = auditors.map(
    ({ keyId, name }) =>
      html` ${name === undefined ? '' : html`${name}, as the registry says: `}<span class="id">key ${keyId}</span>`,
  );
  return html`attached to ${registry} on ${attached.slice(0, 10)}, signed by${keys}`;
}

/** The same in words for a line of a terminal. */
export function policyText({ policy }: AuditStanding): string {
  if (!policy) return 'no policy was given to hold this audit to';
  const { name, asksForAudit, against } = policy;
  if (!asksForAudit) return `${name} asks for no audit`;
  if (against === undefined) return `${name} accepts this audit`;
  return `${name} does not accept this audit: ${against}`;
}
