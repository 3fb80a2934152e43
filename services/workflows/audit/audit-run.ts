import type { KeyObject } from 'node:crypto';
import path from 'node:path';
import type { Attack } from '../../../models/attacks/attack.js';
import { runOfResult } from '../../../models/attacks/attack-ids.js';
import { amongMembersText, audit } from '../../../models/attacks/audit.js';
import { noiseOff, rawEmbeddings } from '../../../models/attacks/baseline-views.js';
import { AuditDirectory } from '../../../models/attacks/report/audit-directory.js';
import type { PolicyOutcome } from '../../../models/attacks/report/audit-facts.js';
import type { AuditReport } from '../../../models/attacks/report/audit-report.js';
import { standardAttacks } from '../../../models/attacks/standard-attacks.js';
import type { AuditTarget } from '../../../models/attacks/target.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { requireFloat32 } from '../../../models/tensor/backend.js';
import type { TextExample } from '../../../models/training/data/examples.js';
import { requireRun } from '../../../models/training/run/run-directory.js';
import type { EntityTreatment } from '../../../proto/entity-treatment.js';
import { TacetError } from '../../../proto/errors.js';
import { type EncodingModel, openEncodingModel } from '../../institution/bundles/encoding-model.js';
import type { SecondReader } from '../../institution/release/suspects/second-reader.js';
import type { Context } from '../context.js';
import { sayOtherFiles } from '../left-out-files.js';
import { auditHeading } from './audit-heading.js';
import { type AuditNotes, type AuditNotesOptions, readAuditNotes } from './audit-notes.js';
import { openAuditJudge, policyOutcome } from './audit-policy.js';
import { type AuditReader, openAuditReader } from './audit-reader.js';
import { begunRecord, recordOf } from './audit-record.js';
import { writeAuditFiles } from './audit-report-files.js';
import { auditTarget } from './audit-target.js';
import { asEncoded, type EncodedNotes } from './encoded-notes.js';
import { sharedReleases } from './shared-releases.js';
import { type TrainingAdversary, trainingAdversary } from './training-adversary.js';

/** What is worse than any bundle; lower baselines are no choice, since their audits would look good. */
export const COMPARISONS = { 'noise-off': noiseOff, 'raw-embeddings': rawEmbeddings } as const;

/** An audit of a bundle: on which notes, with which attacks, for how long. */
export interface AuditRequest extends AuditNotesOptions, AuditReader {
  /** The bundle's directory. */
  readonly model: string;
  readonly trustedKeys: readonly KeyObject[];
  /** File of the word vectors, or `wink`. */
  readonly embeddings: string;
  /** Directory of releases that are about to leave; they are attacked then. */
  readonly segments?: string;
  /** Home of their encoder, by default the parent of `segments`. */
  readonly home?: string;
  /** File of the inventory that replaced entities there, by default the bundle's own. */
  readonly inventory?: string;
  /** The training run, to go on from its adversary. */
  readonly run?: string;
  /** Attacks what the bundle would be without its noise, or without itself. */
  readonly as?: keyof typeof COMPARISONS;
  readonly neighbours: number;
  readonly seed: number;
  /** Of learned attacks, at the most; by default the paper's. */
  readonly epochs?: number;
  readonly minutes?: number;
  /** All of `standardAttacks` by default. */
  readonly attacksWith?: (adversary: TrainingAdversary) => readonly Attack[];
  /** Names of the attacks to try; without it all. */
  readonly only?: readonly string[];
  readonly resume?: boolean;
  /** File of a policy to judge the audit by. */
  readonly policy?: string;
  readonly out: string;
}

export interface FinishedAudit {
  readonly report: AuditReport;
  readonly policy: PolicyOutcome | undefined;
  /** The report for programs and for people, below `out`. */
  readonly files: readonly string[];
}

type Work = Pick<Context, 'signal' | 'progress' | 'say'>;

/**
 * Attacks a bundle with labelled notes that it was not trained on, beside the limits on all attacks, and
 * writes the report. Throws `usage` for a request that contradicts itself or whose attacks the notes all rule out, `file-not-found` or
 * `checkpoint-invalid` where there is no audit of that kind to resume, `config-invalid` where f is not computed in float32,
 * and as opening a bundle does.
 */
export async function runAudit(request: AuditRequest, context: Work): Promise<FinishedAudit> {
  const startedMs = performance.now();
  requireFloat32('what leaves is made');
  const { signal, progress } = context;
  const { resume = false, out, seed, trustedKeys } = request;
  const work = path.join(out, 'work');
  if (resume) await requireRun(work, 'audit');
  if (request.as && request.segments)
    throw new TacetError('usage', '--as: segments are attacked as they are; give one of the two');
  if (request.reader !== undefined && request.segments === undefined)
    throw new TacetError(
      'usage',
      '--reader: it read notes before they were encoded; give --segments',
    );
  const judge = await openAuditJudge(request.policy);
  const embeddings = await openEmbeddings(request.embeddings, { signal, progress });
  const model = await openEncodingModel(request.model, { trustedKeys, embeddings });
  const adversary = await adversaryOf(request, model.representation, context);
  const { attacksWith = standard(request) } = request;
  const attacks = chosenOf(attacksWith(adversary), request.only);
  for (const corpus of request.corpus) await sayOtherFiles(corpus, context);
  const given = await readAuditNotes(request, signal);
  const trust = { trustedKeys, embeddings };
  const reader = await openAuditReader(request, model, trust, signal);
  const notes = await seenByEncoder(given, { ...request, reader }, model, signal);
  const target = await targetOf(request, model, notes, context);
  const { membersLeftOut = 0 } = target;
  if (membersLeftOut > 0) context.say(`left out: ${amongMembersText(membersLeftOut)}`);
  const record = recordOf(request, model.digest, given, target, adversary);
  const begun = resume ? await begunRecord(work, record) : record;
  requirePossible(attacks.chosen, target);
  const found = await audit(target, {
    ...{ seed, model: model.digest, attacked: attackedBy(request, notes.entities) },
    attacks: attacks.chosen,
    ...{ minutes: request.minutes, startedMs },
    directory: await AuditDirectory.open(work, begun, { resume }),
    ...{ signal, progress },
  });
  model.representation.dispose();
  const heading = await auditHeading(request.model, trustedKeys, request);
  const notTried = [...found.notTried, ...attacks.others];
  const report: AuditReport = { ...found, notTried, heading };
  const policy = policyOutcome(judge, report);
  return { report, policy, files: await writeAuditFiles(out, report, { policy }) };
}

/** Throws `usage` for a name that no attack has. */
function chosenOf(
  attacks: readonly Attack[],
  only?: readonly string[],
): { readonly chosen: readonly Attack[]; readonly others: readonly string[] } {
  if (!only) return { chosen: attacks, others: [] };
  const names = attacks.map(({ name }) => name);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new TacetError(
      'usage',
      `--only: no attack is called ${unknown.join(', ')}; ${whoseResults(unknown, names)}expected some of ${names.join(', ')}`,
    );
  const isChosen = ({ name }: Attack) => only.includes(name);
  const others = names.filter((name) => !only.includes(name));
  return {
    chosen: attacks.filter(isChosen),
    others: [`not asked for (--only): ${others.join(', ')}`],
  };
}

/** Of names that results have, which attacks give these. */
function whoseResults(unknown: readonly string[], names: readonly string[]): string {
  const said = unknown.flatMap((result) => {
    const run = runOfResult(result, names);
    return run === undefined ? [] : [`${result} is a result of ${run}; `];
  });
  return said.join('');
}

/** Throws `usage` where the notes allow none of the attacks. */
function requirePossible(attacks: readonly Attack[], target: AuditTarget): void {
  const obstacles = attacks.map((attack) => attack.obstacle?.(target));
  if (obstacles.includes(undefined)) return;
  throw new TacetError(
    'usage',
    '--only: these notes allow none of the chosen attacks; not possible are ' +
      `${[...new Set(obstacles)].join('; ')}. Name others too, or give what they lack`,
  );
}

function standard({ epochs: maxEpochs }: AuditRequest) {
  return (adversary: TrainingAdversary) => standardAttacks({ adversary, maxEpochs });
}

function attackedBy(
  { as, segments }: AuditRequest,
  entities: EntityTreatment,
): AuditReport['attacked'] {
  if (as) return as;
  if (segments === undefined) return 'bundle';
  return entities === 'replaced' ? 'replaced-contribution' : 'contribution';
}

/** Of a contribution, notes as they were encoded. */
async function seenByEncoder(
  notes: AuditNotes,
  request: Omit<AuditRequest, 'reader'> & { readonly reader: SecondReader | undefined },
  model: EncodingModel,
  signal: AbortSignal,
): Promise<EncodedNotes> {
  if (request.segments === undefined) return { ...notes, given: notes.documents, entities: 'kept' };
  const { inventory, reader } = request;
  const encodedIn = { home: homeOf(request, request.segments), inventory, reader };
  return asEncoded(notes, model, encodedIn, signal);
}

function homeOf({ home }: Pick<AuditRequest, 'home'>, segments: string): string {
  return home ?? path.join(segments, '..');
}

/** Of a comparison, a fresh one: the run's adversary learned on other vectors. */
async function adversaryOf(
  { as, run }: AuditRequest,
  representation: EncodingModel['representation'],
  { say }: Work,
): Promise<TrainingAdversary> {
  const from = as ? undefined : run;
  const adversary = await trainingAdversary(from, representation);
  if (from !== undefined && !adversary.start)
    say(`${from} was trained without an adversary: fresh ones attack instead`);
  return adversary;
}

function targetOf(
  request: AuditRequest,
  model: EncodingModel,
  { documents, given, institutions, members, copies }: EncodedNotes,
  { signal, progress }: Work,
): Promise<AuditTarget> {
  const { representation, vocabulary, scheme } = model;
  const { seed, neighbours, segments, as } = request;
  const view = as ? COMPARISONS[as](representation) : representation;
  const releasesOf =
    segments &&
    ((examples: readonly TextExample[]) => {
      const place = { segments, home: homeOf(request, segments), signal };
      return sharedReleases(model, examples, place);
    });
  return auditTarget({ representation: view, vocabulary, scheme }, documents, {
    ...{ seed, neighbours, given, institutions, members, copies },
    readAgain: request.reader !== undefined,
    ...(releasesOf && { releasesOf }),
    ...{ signal, progress },
  });
}
