import { createHash } from 'node:crypto';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
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
import { sharedReleases } from '../shared-releases.js';
import { wholeNumber } from '../whole-number.js';

interface Options {
  readonly model: string;
  readonly trust: readonly string[];
  readonly embeddings: string;
  readonly corpus: readonly string[];
  readonly institutions?: RegExp;
  readonly members?: string;
  readonly segments?: string;
  readonly home?: string;
  readonly run?: string;
  readonly neighbours: number;
  readonly seed: number;
  readonly documents?: number;
  readonly epochs?: number;
  readonly minutes?: number;
  readonly resume?: boolean;
  readonly out: string;
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
      pattern,
    )
    .option('--members <path>', 'the provider’s training notes, to try telling them from others')
    .option(
      '--segments <dir>',
      'attack these very releases, before they leave: the outbox of an encoder that kept its map',
    )
    .option('--home <dir>', 'home of that encoder, by default the parent of --segments')
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
    .option('--resume', 'go on with the audit in --out where it stopped')
    .requiredOption('--out <dir>', 'where the report goes (audit.json, audit.html), and the work')
    .action(run);
}

async function run(options: Options, self: Command): Promise<void> {
  const { signal, progress, result } = contextOf(self);
  await useBackend(self.optsWithGlobals<{ backend?: string }>().backend);
  const { seed, neighbours, segments, members: membersPath } = options;
  const trustedKeys = await readTrustedKeys(options.trust);
  const embeddings = await openEmbeddings(options.embeddings, { signal, progress });
  const model = await openEncodingModel(options.model, { trustedKeys, embeddings });
  const { documents, institutions } = await notesOf(options, signal);
  const members = membersPath === undefined ? undefined : await documentsIn(membersPath, signal);
  const home = options.home ?? path.join(segments ?? '', '..');
  const target = await auditTarget(model, documents, {
    seed,
    neighbours,
    institutions,
    members,
    releasesOf:
      segments === undefined
        ? undefined
        : (examples) => sharedReleases(model, examples, { segments, home, signal }),
    signal,
    progress,
  });
  const { minutes = null, epochs = null } = options;
  const begun = {
    model: model.digest,
    seed,
    neighbours,
    minutes,
    epochs,
    notes: digestOf(documents),
    continued: options.run !== undefined,
    members: members === undefined ? null : digestOf(members),
    released: target.released?.size ?? null,
  };
  const work = path.join(options.out, 'work');
  const report = await audit(target, {
    seed,
    model: model.digest,
    attacks: standardAttacks({
      adversary: await adversaryOf(options.run),
      maxEpochs: options.epochs,
    }),
    minutes: options.minutes,
    directory: await AuditDirectory.open(work, begun, { resume: options.resume ?? false }),
    signal,
    progress,
  });
  const files = await writeAuditFiles(options.out, report);
  result(report, [...auditSummary(report), ...files]);
}

/** All notes, and where each comes from where they come from several institutions. */
async function notesOf({ corpus, institutions, documents: most }: Options, signal: AbortSignal) {
  const origin = new Map<Document, string>();
  for (const each of corpus)
    for (const document of await documentsIn(each, signal))
      origin.set(document, institutions?.exec(document.id)?.[0] ?? path.basename(each));
  const documents = [...origin.keys()].slice(0, most);
  const several = new Set(documents.map((document) => origin.get(document))).size > 1;
  return { documents, institutions: several ? origin : undefined };
}

async function documentsIn(corpus: string, signal: AbortSignal): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const document of readCorpus(corpus, { signal })) documents.push(document);
  return documents;
}

function pattern(text: string): RegExp {
  try {
    return new RegExp(text, 'u');
  } catch {
    throw new InvalidArgumentError('Expected a regular expression.');
  }
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
