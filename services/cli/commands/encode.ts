import { Command } from 'commander';
import { MAX_COPIES } from '../../../proto/entity-treatment.js';
import type { EncodeReport } from '../../institution/release/job/encode-report.js';
import type { BoundSummary } from '../../institution/release/job/job-bounds.js';
import { describeAsText } from '../../institution/release/notes/spans-as-text.js';
import { encodeNotes } from '../../workflows/encode-notes.js';
import type { EntityTerms } from '../../workflows/entity-terms.js';
import { backendOf } from '../backend-option.js';
import { boundText } from '../bound-text.js';
import { contextOf } from '../context.js';
import { registryAccess } from '../credentials.js';
import { approvalOf, type EncoderOptions, withEncoderOptions } from '../encoder-options.js';
import { withReadingOptions, withTreatmentOptions } from '../entity-options.js';
import { withNewHomeOption } from '../home-options.js';
import { keptLines } from '../kept-lines.js';
import { labelLines } from '../label-lines.js';
import { leftOutLines } from '../left-out-lines.js';
import { wholeNumber } from '../whole-number.js';

interface EncodeCommandOptions extends EncoderOptions, EntityTerms {
  readonly model: string;
  readonly scheme?: string;
  readonly dryRun?: boolean;
  readonly keepMap?: boolean;
  readonly skipBad?: boolean;
  readonly withoutPhi?: boolean;
}

/** `tacet encode`: labelled notes to noisy vectors, here, each sentence once. */
export function encodeCommand(): Command {
  const command = new Command('encode')
    .description('turn labelled notes into noisy vectors, ready to contribute')
    .argument('<input>', 'file or directory of labelled notes')
    .requiredOption('--model <bundle>', 'representation bundle');
  const withHome = withEncoderOptions(withNewHomeOption(command));
  return withReadingOptions(withTreatmentOptions(withHome))
    .option('--scheme <name>', "label scheme, by default the policy's or the bundle's own")
    .option('--dry-run', 'show what would be released, as counts, and release nothing')
    .option(
      '--keep-map',
      'keep a local map from releases to sentences, for `tacet audit run --segments`; never uploaded',
    )
    .option(
      '--copies <n>',
      'let each note leave so often, each time with other entities; the text around them is released with each',
      wholeNumber(1, MAX_COPIES),
      1,
    )
    .option('--skip-bad', 'leave out documents that cannot be read')
    .option('--without-phi', 'the notes hold no PHI: none of them needs a labelled entity')
    .action(run);
}

async function run(input: string, options: EncodeCommandOptions, command: Command): Promise<void> {
  const context = contextOf(command);
  const backend = backendOf(command);
  const approval = await approvalOf(options);
  const job = { ...options, input, approval, access: registryAccess(options), backend };
  const report = await encodeNotes(job, context);
  context.result(report, describe(report, options.dryRun ?? false));
}

function describe(report: EncodeReport, dryRun: boolean): string[] {
  const { documents, sentences, releasable, released, withheld, skipped, tokens } = report;
  const stays = [
    ...(report.entities === null && withheld === 0 ? [] : [`${withheld} withheld`]),
    ...(report.entities === null ? ['nothing certified'] : []),
  ];
  return [
    `ledger     ${report.ledger}`,
    `documents  ${documents}`,
    `sentences  ${sentences}: ` +
      `${dryRun ? `${releasable} would be encoded` : `${released} encoded`}, ` +
      `${skipped} left out because they were released before or stand here twice, ${stays.join(', ')}`,
    ...leftOutLines(report, dryRun),
    ...treatmentLines(report, dryRun),
    ...textLines(report),
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

function treatmentLines(report: EncodeReport, dryRun: boolean): string[] {
  const { replaced, inventory, copies, alike } = report;
  if (replaced === null)
    return [
      'entities   kept: what is labelled can be attacked, see the audits of the model',
      ...labelLines(report, dryRun),
    ];
  const none =
    'entities   none: no note has a labelled one, and a name in them is encoded as it is';
  return [
    ...(replaced + report.kept === 0 ? [none] : []),
    `entities   ${replaced} replaced by public ones, drawn by chance from inventory ${inventory}:`,
    '           what leaves does not depend on what they were; of names that nobody labelled, and of the words',
    '           around, see the audits of the model',
    ...inexactLines(report),
    ...keptLines(report),
    ...copyLines(copies),
    ...suspectLines(report),
    `alike      ${alike} sentences left out: as many are released that differ in entities alone`,
    ...labelLines(report, dryRun),
  ];
}

function inexactLines({ inexact }: EncodeReport): string[] {
  if (inexact === 0) return [];
  return [
    `inexact    ${inexact} documents are of a format that parts sentences itself, or does not say where entities stand:`,
    '           whoever wrote it may have gone by what these were, so that what leaves of them may depend on it',
  ];
}

/** What nothing above speaks of: labelled, and no PHI by the scheme. */
function textLines({ asText }: EncodeReport): string[] {
  const types = describeAsText(asText);
  if (types === undefined) return [];
  return [
    `as text    ${types}: labelled, and text by the model's label scheme, so that nothing replaces or limits them:`,
    '           they are encoded as they stand; where they are PHI, use a model whose scheme takes them for it',
  ];
}

function copyLines(copies: number): string[] {
  if (copies === 1) return [];
  return [
    `copies     each note leaves ${copies} times: a name that nobody labelled in a sentence with entities does too, and`,
    `           averaging takes its noise down by ${Math.sqrt(copies).toFixed(2)}; limits on such names are for one release`,
  ];
}

const DONE_WITH_SUSPECTS = {
  report: 'counted alone',
  replace: 'labelled and replaced',
  withhold: 'left out with their sentences',
} as const;

function suspectLines({ suspects, keptTypes }: EncodeReport): string[] {
  if (!suspects) return ['suspects   nobody read the notes for names without a label (--reader)'];
  const { treatment, byType, sentences } = suspects;
  const counts = Object.entries(byType).map(([type, count]) => `${count} ${type}`);
  const all = Object.values(byType).reduce((sum, count) => sum + count, 0);
  const left = treatment === 'withhold' ? ` (${sentences} sentences)` : '';
  const kept =
    treatment === 'replace' && keptTypes.length > 0 ? ' unless of a type that is kept' : '';
  return [
    `suspects   ${all} outside the labels, ${DONE_WITH_SUSPECTS[treatment]}${kept}${left}`,
    ...(counts.length === 0 ? [] : [`           ${counts.join(', ')}`]),
  ];
}

/** Column of the bounds. */
const NUMBERS_AT = 23;

function describeBounds(bounds: EncodeReport['bounds']): string[] {
  if (!bounds) return [];
  const line = (what: string, when: string, summary: BoundSummary) => {
    const { median, percentile95, percentile99, maximum, over, count } = summary;
    const quantiles = [median, percentile95, percentile99, maximum].map(boundText);
    const shares = `${quantiles.join('  ')}  ${over} of ${count} over ${bounds.limit}`;
    return `  ${what} ${when}`.padEnd(NUMBERS_AT) + shares;
  };
  const { entities, documents } = bounds;
  return [
    'bounds     on telling an entity from one of its near words, in the mean over these, by the vectors and by',
    '           what its type withholds, over all jobs; of a document, any entity in it. Not counted: that equal',
    '           sentences leave once, other portions of a job, words that cannot move',
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
