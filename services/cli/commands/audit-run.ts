import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type AuditReport, audit } from '../../../models/attacks/audit.js';
import { noiseOff, rawEmbeddings } from '../../../models/attacks/baseline-views.js';
import { AuditDirectory } from '../../../models/attacks/report/audit-directory.js';
import { standardAttacks } from '../../../models/attacks/standard-attacks.js';
import type { AuditTarget } from '../../../models/attacks/target.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { TRAINING_DEFAULTS } from '../../../models/training/config.js';
import type { TextExample } from '../../../models/training/examples.js';
import { requireRun } from '../../../models/training/run-directory.js';
import { TacetError } from '../../../proto/errors.js';
import { type EncodingModel, openEncodingModel } from '../../institution/bundles/encoding-model.js';
import { auditHeading } from '../../workflows/audit-heading.js';
import {
  type AuditNotes,
  type AuditNotesOptions,
  digestOfNotes,
  digestOfOrigins,
  readAuditNotes,
} from '../../workflows/audit-notes.js';
import { judgedBy, openAuditJudge } from '../../workflows/audit-policy.js';
import {
  type AuditRecord,
  begunRecord,
  digestOfReleases,
  digestOfWeights,
} from '../../workflows/audit-record.js';
import { writeAuditFiles } from '../../workflows/audit-report-files.js';
import { auditSummary } from '../../workflows/audit-summary.js';
import { auditTarget } from '../../workflows/audit-target.js';
import type { Context } from '../../workflows/context.js';
import { sharedReleases } from '../../workflows/shared-releases.js';
import { type TrainingAdversary, trainingAdversary } from '../../workflows/training-adversary.js';
import { contextOf } from '../context.js';
import { readTrustedKeys } from '../credentials.js';
import { wholeNumber } from '../whole-number.js';

interface Options extends AuditNotesOptions {
  readonly model: string;
  readonly trust: readonly string[];
  readonly embeddings: string;
  readonly segments?: string;
  readonly home?: string;
  readonly run?: string;
  readonly as?: keyof typeof COMPARISONS;
  readonly neighbours: number;
  readonly seed: number;
  readonly epochs?: number;
  readonly minutes?: number;
  readonly resume?: boolean;
  readonly policy?: string;
  readonly out: string;
}

/** What is worse than any bundle; lower baselines are no choice, since their audits would look good. */
const COMPARISONS = { 'noise-off': noiseOff, 'raw-embeddings': rawEmbeddings } as const;

/** `tacet audit run`: every attack there is on a bundle, beside the limits on all attacks. */
export function auditRunCommand(): Command {
  return new Command('run')
    .description('attack a bundle with labelled notes, and bound what any attack could do')
    .requiredOption('--model <dir>', 'the bundle to attack')
    .requiredOption('--trust <file...>', 'public keys of publishers you trust')
    .requiredOption('--embeddings <file>', 'the word vectors that the bundle names')
    .requiredOption(
      '--corpus <path...>',
      'labelled notes that the bundle was not trained on; several paths are several institutions',
    )
    .option(
      '--institutions <pattern>',
      'regular expression that finds the institution in a document’s id; its name is in the report',
      pattern,
    )
    .option('--members <path>', 'the provider’s training notes, to try telling them from others')
    .option(
      '--segments <dir>',
      'attack these very releases, before they leave: the outbox of an encoder that kept its map',
    )
    .option('--home <dir>', 'home of that encoder, by default the parent of --segments')
    .option('--run <dir>', 'the training run, to go on from its adversary; else a fresh one')
    .addOption(
      new Option(
        '--as <what>',
        'for comparison: attack what the bundle would be without its noise, or without itself',
      ).choices(Object.keys(COMPARISONS)),
    )
    .option(
      '--neighbours <n>',
      'candidates of a moved word',
      wholeNumber(2),
      TRAINING_DEFAULTS.neighbours,
    )
    .option('--seed <n>', 'seed of splits, pairs and noise', wholeNumber(0), 1)
    .option('--documents <n>', 'use the first so many notes of the corpus', wholeNumber(4))
    .option(
      '--epochs <n>',
      'at most this many epochs an attack; the paper’s 50 by default',
      wholeNumber(1),
    )
    .option(
      '--minutes <n>',
      'stop attacks early to end in about this time, and say which',
      wholeNumber(1),
    )
    .option(
      '--resume',
      'go on with the audit in --out where it stopped, or with what it left out for want of time',
    )
    .option('--policy <file>', 'say whether an institution with this policy would accept the audit')
    .requiredOption('--out <dir>', 'where the report goes (audit.json, audit.html), and the work')
    .action(runAudit);
}

async function runAudit(options: Options, self: Command): Promise<void> {
  const context = contextOf(self);
  const { signal, progress, result, say } = context;
  const startedMs = performance.now();
  const { resume = false, out } = options;
  const work = path.join(out, 'work');
  if (resume) await requireRun(work, 'audit');
  if (options.as && options.segments)
    throw new TacetError('usage', '--as: segments are attacked as they are; give one of the two');
  await useBackend(self.optsWithGlobals<{ backend?: string }>().backend);
  const judge = await openAuditJudge(options.policy);
  const trustedKeys = await readTrustedKeys(options.trust);
  const embeddings = await openEmbeddings(options.embeddings, { signal, progress });
  const model = await openEncodingModel(options.model, { trustedKeys, embeddings });
  const notes = await readAuditNotes(options, signal);
  const target = await targetOf(options, model, notes, context);
  const run = options.as ? undefined : options.run;
  const adversary = await trainingAdversary(run, target.representation.config);
  if (run !== undefined && !adversary.start)
    say(`${run} was trained without an adversary: fresh ones attack instead`);
  const record = recordOf(options, model.digest, notes, target, adversary);
  const begun = resume ? await begunRecord(work, record) : record;
  const found = await audit(target, {
    seed: options.seed,
    model: model.digest,
    attacked: options.as ?? (options.segments === undefined ? 'bundle' : 'contribution'),
    attacks: standardAttacks({
      adversary,
      maxEpochs: options.epochs,
    }),
    minutes: options.minutes,
    startedMs,
    directory: await AuditDirectory.open(work, begun, { resume }),
    signal,
    progress,
  });
  const heading = await auditHeading(options.model, trustedKeys, options.corpus);
  const report: AuditReport = { ...found, heading };
  const policy = judgedBy(judge, report);
  const files = await writeAuditFiles(out, report, { policy });
  result({ ...report, ...(policy && { policy }) }, [...auditSummary(report, { policy }), ...files]);
}

function targetOf(
  { seed, neighbours, segments, home, as }: Options,
  model: EncodingModel,
  { documents, institutions, members }: AuditNotes,
  { signal, progress }: Context,
): Promise<AuditTarget> {
  const representation = as ? COMPARISONS[as](model.representation) : model.representation;
  const releasesOf =
    segments === undefined
      ? undefined
      : (examples: readonly TextExample[]) =>
          sharedReleases(model, examples, {
            segments,
            home: home ?? path.join(segments, '..'),
            signal,
          });
  const { vocabulary, scheme } = model;
  return auditTarget({ representation, vocabulary, scheme }, documents, {
    seed,
    neighbours,
    institutions,
    members,
    releasesOf,
    signal,
    progress,
  });
}

function recordOf(
  { seed, neighbours, epochs, as }: Options,
  model: string,
  { documents, members, institutions }: AuditNotes,
  target: AuditTarget,
  { start }: TrainingAdversary,
): AuditRecord {
  return {
    ...{ model, seed, neighbours, epochs: epochs ?? null, as: as ?? null },
    continued: start !== undefined,
    adversary: start ? digestOfWeights(start) : null,
    notes: digestOfNotes(documents),
    members: members ? digestOfNotes(members) : null,
    institutions: institutions ? digestOfOrigins(documents, institutions) : null,
    released: target.released?.size ?? null,
    releases: digestOfReleases(target),
  };
}

function pattern(text: string): RegExp {
  try {
    return new RegExp(text, 'u');
  } catch {
    throw new InvalidArgumentError('Expected a regular expression.');
  }
}
