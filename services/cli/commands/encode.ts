import { Command } from 'commander';
import { TacetError } from '../../../proto/errors.js';
import type { ModelSetup } from '../../encoder/model-calls.js';
import { ModelThread } from '../../encoder/model-thread.js';
import { encodingLimits } from '../../institution/approval/policy.js';
import { pipelineGrounds } from '../../institution/approval/standing-approval.js';
import type { EncodeReport } from '../../institution/release/encode.js';
import type { BoundSummary } from '../../institution/release/job-bounds.js';
import { contextOf } from '../context.js';
import {
  type Approval,
  approvalOf,
  type EncoderOptions,
  withEncoderOptions,
} from '../encoder-options.js';
import {
  type EntityOptions,
  entitiesOption,
  type ReadingOptions,
  readingOf,
  treatmentOf,
  withReadingOptions,
} from '../entity-options.js';
import { homeToEncodeIn, withNewHomeOption } from '../home-options.js';
import { approve } from '../model-registry.js';

interface EncodeCommandOptions extends EncoderOptions, EntityOptions, ReadingOptions {
  readonly model: string;
  readonly scheme?: string;
  readonly dryRun?: boolean;
  readonly keepMap?: boolean;
  readonly skipBad?: boolean;
}

/** `tacet encode`: labelled notes to noisy vectors, here, each sentence once. */
export function encodeCommand(): Command {
  const command = new Command('encode')
    .description('turn labelled notes into noisy vectors, ready to contribute')
    .argument('<input>', 'file or directory of labelled notes')
    .requiredOption('--model <bundle>', 'representation bundle');
  return withReadingOptions(withEncoderOptions(withNewHomeOption(command)))
    .option('--scheme <name>', "label scheme, by default the policy's or the bundle's own")
    .addOption(entitiesOption())
    .option('--inventory <file>', "public entities to replace by, by default the bundle's own")
    .option('--dry-run', 'show what would be released, as counts, and release nothing')
    .option(
      '--keep-map',
      'keep a local map from releases to sentences, for `tacet audit run --segments`; never uploaded',
    )
    .option('--skip-bad', 'leave out documents that cannot be read')
    .action(run);
}

async function run(input: string, options: EncodeCommandOptions, command: Command): Promise<void> {
  const context = contextOf(command);
  const { say, result } = context;
  const approval = await approvalOf(options);
  const { policy } = approval;
  const treatment = await treatmentOf(options, policy);
  const reading = readingOf(options, policy);
  if (reading && treatment.entities === 'kept')
    throw new TacetError('usage', '--reader: it reads notes whose entities are replaced');
  const place = await homeToEncodeIn(options, policy, context);
  const setup = setupOf(options, approval, command.optsWithGlobals().backend);
  const models = await ModelThread.start(setup, context);
  try {
    const { model, pipeline } = models.identities;
    if (model) await approve(model, approval, options, context);
    if (pipeline) await approve(pipeline, pipelineGrounds(approval), options, context);
    const { skipBad, dryRun, keepMap } = options;
    const { directory: home, mayMake } = place;
    const limits = { ...(policy && encodingLimits(policy)), ...treatment, dryRun, keepMap };
    const job = { input, skipBad, home, reading, options: { ...limits, requireHome: !mayMake } };
    const report = await models.call('encode', job, context);
    if (report.bad > 0) say(`left out ${report.bad} documents that could not be read`);
    result(report, describe(report, dryRun ?? false));
  } finally {
    await models.close();
  }
}

function setupOf(
  { model, embeddings, scheme, reader }: EncodeCommandOptions,
  { policy, trust }: Approval,
  backend: string | undefined,
): ModelSetup {
  if (policy?.labelScheme !== undefined && scheme !== undefined)
    throw new TacetError('usage', '--scheme: the policy names the label scheme');
  return {
    trust,
    embeddings,
    model,
    scheme: policy?.labelScheme ?? scheme,
    pipeline: reader,
    backend,
  };
}

function describe(report: EncodeReport, dryRun: boolean): string[] {
  const { documents, sentences, releasable, released, withheld, skipped, tokens } = report;
  const certified = report.entities === null ? 'nothing certified' : `${withheld} withheld`;
  return [
    `ledger     ${report.ledger}`,
    `documents  ${documents}`,
    `sentences  ${sentences}: ` +
      `${dryRun ? `${releasable} would be encoded` : `${released} encoded`}, ` +
      `${skipped} left out because they were released before or stand here twice, ${certified}`,
    ...treatmentLines(report),
    ...(report.entities === null
      ? []
      : [`entities   ${report.entities} certified; ${report.immovable} tokens cannot be`]),
    ...describeBounds(report.bounds),
    ...(dryRun
      ? ['nothing was released']
      : [
          `tokens     ${tokens}`,
          `outbox     ${report.segments.length} new segments, ${report.bytes} bytes`,
        ]),
  ];
}

function treatmentLines({ replaced, inventory, alike, suspects }: EncodeReport): string[] {
  if (replaced === null)
    return ['entities   kept: what is labelled can be attacked, see the audits of the model'];
  return [
    `entities   ${replaced} replaced by public ones, drawn by chance from inventory ${inventory}:`,
    '           of labelled PHI nothing leaves; of names that nobody labelled, see the audits of the model',
    ...suspectLines(suspects),
    `alike      ${alike} sentences left out: as many were released that differ in entities alone`,
  ];
}

const DONE_WITH_SUSPECTS = {
  report: 'counted alone',
  replace: 'labelled and replaced',
  withhold: 'left out with their sentences',
} as const;

function suspectLines(suspects: EncodeReport['suspects']): string[] {
  if (!suspects) return ['suspects   nobody read the notes for names without a label (--reader)'];
  const { treatment, byType, sentences } = suspects;
  const counts = Object.entries(byType).map(([type, count]) => `${count} ${type}`);
  const all = Object.values(byType).reduce((sum, count) => sum + count, 0);
  const left = treatment === 'withhold' ? ` (${sentences} sentences)` : '';
  return [
    `suspects   ${all} outside the labels, ${DONE_WITH_SUSPECTS[treatment]}${left}`,
    ...(counts.length === 0 ? [] : [`           ${counts.join(', ')}`]),
  ];
}

/** Column of the bounds. */
const NUMBERS_AT = 23;

function describeBounds(bounds: EncodeReport['bounds']): string[] {
  if (!bounds) return [];
  const line = (what: string, when: string, summary: BoundSummary) => {
    const { median, percentile95, percentile99, maximum, over, count } = summary;
    const quantiles = [median, percentile95, percentile99, maximum].map((each) => each.toFixed(3));
    const shares = `${quantiles.join('  ')}  ${over} of ${count} over ${bounds.limit}`;
    return `  ${what} ${when}`.padEnd(NUMBERS_AT) + shares;
  };
  const { entities, documents } = bounds;
  return [
    'bounds     on telling an entity from another, by the vectors and by what is missing, over all jobs;',
    '           of a document, any entity in it',
    `${'  withholding'.padEnd(NUMBERS_AT)}median 95 %   99 %   maximum`,
    line('of entities', 'before', entities.before),
    line('of entities', 'after', entities.after),
    line('of documents', 'before', documents.before),
    line('of documents', 'after', documents.after),
    ...(bounds.withheldTypes.length === 0
      ? []
      : [`  of these types nothing is released: ${bounds.withheldTypes.join(', ')}`]),
    ...(bounds.told === 0
      ? []
      : [
          `  of ${bounds.told} entities what is missing may tell, since the counts of a type are near its`,
          '  threshold: after withholding they count as wide open, whatever the vectors reveal',
        ]),
  ];
}
