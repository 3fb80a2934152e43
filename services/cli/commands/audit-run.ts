import { Command, InvalidArgumentError, Option } from 'commander';
import { TRAINING_DEFAULTS } from '../../../models/training/configuration/config.js';
import { type AuditRequest, COMPARISONS, runAudit } from '../../workflows/audit/audit-run.js';
import { auditSummary } from '../../workflows/audit/audit-summary.js';
import { READER_THRESHOLD } from '../../workflows/entity-terms.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { readTrustedKeys } from '../credentials.js';
import { numberOver } from '../number-over.js';
import { parseShare } from '../share.js';
import { wholeNumber } from '../whole-number.js';

interface Options extends Omit<AuditRequest, 'trustedKeys' | 'attacksWith' | 'corpusName'> {
  readonly trust: readonly string[];
}

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
      parsePattern,
    )
    .option('--members <path>', 'the provider’s training notes, to try telling them from others')
    .option(
      '--segments <dir>',
      'attack these very releases, before they leave: the outbox of an encoder that kept its map',
    )
    .option('--home <dir>', 'home of that encoder, by default the parent of --segments')
    .option('--inventory <file>', "what replaced entities there, by default the bundle's own")
    .option(
      '--reader <pipeline>',
      'the second reader whose findings were replaced there (`encode --reader`)',
    )
    .option(
      '--reader-threshold <share>',
      'it suspected a token from this probability on',
      parseShare,
      READER_THRESHOLD,
    )
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
      '--only <attacks>',
      'try these alone, by commas; the report says which others were not tried',
      nameList,
    )
    .option(
      '--minutes <n>',
      'stop attacks early to end in about this time, and say which',
      numberOver(0),
    )
    .option(
      '--resume',
      'go on with the audit in --out where it stopped, or with what it left out for want of time',
    )
    .option('--policy <file>', 'say whether an institution with this policy would accept the audit')
    .requiredOption('--out <dir>', 'where the report goes (audit.json, audit.html), and the work')
    .action(run);
}

async function run({ trust, ...options }: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  await useBackendOf(command);
  const trustedKeys = await readTrustedKeys(trust);
  const { report, policy, files } = await runAudit({ ...options, trustedKeys }, context);
  const summary = auditSummary(report, { policy });
  context.result({ ...report, ...(policy && { policy }) }, [...summary, ...files]);
}

function nameList(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}

function parsePattern(text: string): RegExp {
  try {
    return new RegExp(text, 'u');
  } catch {
    throw new InvalidArgumentError('Expected a regular expression.');
  }
}
