import { Command } from 'commander';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import { TacetError } from '../../../proto/errors.js';
import { type EncodeReport, encode } from '../../encoder/encode.js';
import { type EncodingModel, openEncodingModel } from '../../encoder/encoding-model.js';
import { checkModelStatus } from '../../encoder/model-status.js';
import { encodingLimits, type Policy, readPolicy } from '../../encoder/policy.js';
import { requireAudit } from '../../encoder/required-audit.js';
import { readAudits } from '../audit-files.js';
import { type Context, contextOf } from '../context.js';
import { clientFor, readTrustedKeys, type TokenOptions, withTokenOptions } from '../credentials.js';

interface EncodeCommandOptions extends TokenOptions {
  readonly model: string;
  readonly trust?: readonly string[];
  readonly policy?: string;
  readonly audit?: readonly string[];
  readonly registry?: string;
  readonly embeddings: string;
  readonly home: string;
  readonly scheme?: string;
  readonly dryRun?: boolean;
  readonly keepMap?: boolean;
  readonly skipBad?: boolean;
}

/** `tacet encode`: labelled notes to noisy vectors, here, each sentence once. */
export function encodeCommand(): Command {
  return withTokenOptions(
    new Command('encode')
      .description('turn labelled notes into noisy vectors, ready to contribute')
      .argument('<input>', 'file or directory of labelled notes')
      .requiredOption('--model <bundle>', 'representation bundle')
      .option('--policy <file>', 'what this institution allows: keys, audit, limits')
      .option('--trust <file...>', 'public keys of publishers you trust, without a policy')
      .option('--audit <file...>', 'signed audits of the model, where the policy asks for one')
      .option('--registry <url>', 'asked whether the model was revoked, and for its audits')
      .requiredOption('--embeddings <file>', 'the word vectors that the bundle names, or wink')
      .requiredOption('--home <directory>', 'ledger and outbox of this institution; keep it')
      .option('--scheme <name>', "label scheme, by default the policy's or the bundle's own")
      .option('--dry-run', 'show what would be released, as counts, and release nothing')
      .option(
        '--keep-map',
        'keep a local map from releases to sentences, for `tacet audit run --segments`; never uploaded',
      )
      .option('--skip-bad', 'leave out documents that cannot be read'),
  ).action(run);
}

async function run(input: string, options: EncodeCommandOptions, command: Command): Promise<void> {
  const context = contextOf(command);
  const { signal, progress, say, result } = context;
  const policy = options.policy === undefined ? undefined : await readPolicy(options.policy);
  await useBackend(command.optsWithGlobals().backend);
  const model = await openModel(options, policy, context);
  await checkModel(model, options, policy, context);
  let bad = 0;
  const documents = readCorpus(input, {
    skipBad: options.skipBad ?? false,
    onBad: () => bad++,
    signal,
  });
  const report = await encode(documents, model, options.home, {
    ...(policy && encodingLimits(policy)),
    dryRun: options.dryRun,
    keepMap: options.keepMap,
    signal,
    progress,
  });
  if (bad > 0) say(`left out ${bad} documents that could not be read`);
  result({ ...report, bad }, describe(report, options.dryRun ?? false));
}

async function openModel(
  { model, trust, embeddings, scheme }: EncodeCommandOptions,
  policy: Policy | undefined,
  { signal, progress }: Context,
): Promise<EncodingModel> {
  if (policy && trust)
    throw new TacetError('usage', '--trust: the policy names the keys; give one of the two');
  if (!policy && !trust) throw new TacetError('usage', 'give --policy, or --trust');
  if (policy?.labelScheme !== undefined && scheme !== undefined)
    throw new TacetError('usage', '--scheme: the policy names the label scheme');
  return openEncodingModel(model, {
    trustedKeys: policy?.publisherKeys ?? (await readTrustedKeys(trust ?? [])),
    embeddings: await openEmbeddings(embeddings, { signal, progress }),
    scheme: policy?.labelScheme ?? scheme,
  });
}

/** Throws `model-revoked`, or `model-unsuitable` where the policy's audit is missing. */
async function checkModel(
  model: EncodingModel,
  options: EncodeCommandOptions,
  policy: Policy | undefined,
  { signal, say }: Context,
): Promise<void> {
  const audits = await readAudits(options.audit ?? []);
  if (options.registry !== undefined) {
    const registry = await clientFor(options.registry, options);
    const status = await checkModelStatus(registry, model, signal);
    if (status.status === 'deprecated') say(`deprecated by its publisher: ${status.reason}`);
    audits.push(...status.audits);
  }
  if (policy?.audit) requireAudit(model.digest, audits, policy.audit);
}

function describe(report: EncodeReport, dryRun: boolean): string[] {
  const { documents, sentences, releasable, released, withheld, skipped, tokens } = report;
  const certified = report.entities === null ? 'nothing certified' : `${withheld} withheld`;
  return [
    `documents  ${documents}`,
    `sentences  ${sentences}: ` +
      `${dryRun ? `${releasable} would be encoded` : `${released} encoded`}, ` +
      `${skipped} left out because they were released before, ${certified}`,
    ...(report.entities === null
      ? []
      : [`entities   ${report.entities} certified; ${report.immovable} tokens cannot be`]),
    ...(dryRun
      ? ['nothing was released']
      : [
          `tokens     ${tokens}`,
          `outbox     ${report.segments.length} new segments, ${report.bytes} bytes`,
        ]),
  ];
}
