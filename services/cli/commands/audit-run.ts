import { createHash } from 'node:crypto';
import path from 'node:path';
import { Command } from 'commander';
import { audit } from '../../../models/attacks/audit.js';
import { AuditDirectory } from '../../../models/attacks/audit-directory.js';
import { standardAttacks } from '../../../models/attacks/standard-attacks.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { ADVERSARY_DEFAULTS } from '../../../models/networks/adversary.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { TRAINING_DEFAULTS } from '../../../models/training/config.js';
import { loadNetworks } from '../../../models/training/trained-networks.js';
import { openEncodingModel } from '../../encoder/encoding-model.js';
import { writeAuditFiles } from '../audit-report-files.js';
import { auditSummary } from '../audit-summary.js';
import { auditTarget } from '../audit-target.js';
import { contextOf } from '../context.js';
import { readTrustedKeys } from '../credentials.js';
import { wholeNumber } from '../whole-number.js';

interface Options {
  readonly model: string;
  readonly trust: readonly string[];
  readonly embeddings: string;
  readonly corpus: string;
  readonly run?: string;
  readonly neighbours: number;
  readonly seed: number;
  readonly documents?: number;
  readonly epochs?: number;
  readonly minutes?: number;
  readonly out: string;
}

/** `tacet audit run`: every attack there is on a bundle, beside the limits on all attacks. */
export function auditRunCommand(): Command {
  return new Command('run')
    .description('attack a bundle with labelled notes, and bound what any attack could do')
    .requiredOption('--model <dir>', 'the bundle to attack')
    .requiredOption('--trust <file...>', 'public keys of publishers you trust')
    .requiredOption('--embeddings <file>', 'the word vectors that the bundle names')
    .requiredOption('--corpus <path>', 'labelled notes that the bundle was not trained on')
    .option('--run <dir>', 'the training run, to go on from its adversary; else a fresh one')
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
    .requiredOption(
      '--out <dir>',
      'where the report goes (audit.json, audit.html), and the work, to go on from if interrupted',
    )
    .action(run);
}

async function run(options: Options, self: Command): Promise<void> {
  const { signal, progress, result } = contextOf(self);
  await useBackend(self.optsWithGlobals<{ backend?: string }>().backend);
  const { seed, neighbours } = options;
  const trustedKeys = await readTrustedKeys(options.trust);
  const embeddings = await openEmbeddings(options.embeddings, { signal, progress });
  const model = await openEncodingModel(options.model, { trustedKeys, embeddings });
  const documents = await documentsOf(options, signal);
  const target = await auditTarget(model, documents, { seed, neighbours, signal, progress });
  const { minutes = null, epochs = null } = options;
  const begun = {
    model: model.digest,
    seed,
    neighbours,
    minutes,
    epochs,
    notes: digestOf(documents),
  };
  const report = await audit(target, {
    seed,
    model: model.digest,
    attacks: standardAttacks({
      adversary: await adversaryOf(options.run),
      maxEpochs: options.epochs,
    }),
    minutes: options.minutes,
    directory: await AuditDirectory.open(path.join(options.out, 'work'), begun),
    signal,
    progress,
  });
  const files = await writeAuditFiles(options.out, report);
  result(report, [...auditSummary(report), ...files]);
}

async function documentsOf(
  { corpus, documents: most = Number.POSITIVE_INFINITY }: Options,
  signal: AbortSignal,
): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const document of readCorpus(corpus, { signal })) {
    if (documents.length >= most) break;
    documents.push(document);
  }
  return documents;
}

/** Tells whether a later run is on the same notes; never leaves this machine. */
function digestOf(documents: readonly Document[]): string {
  const hash = createHash('sha256');
  for (const { id, text, spans } of documents) hash.update(JSON.stringify([id, text, spans]));
  return hash.digest('hex');
}

async function adversaryOf(run: string | undefined) {
  if (run === undefined) return { units: ADVERSARY_DEFAULTS.units };
  const { configs, weights } = await loadNetworks(run);
  return { units: Number(configs.adversary.units), start: weights.adversary };
}
