import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { type AuditReport, audit } from '../../../models/attacks/audit.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { ADVERSARY_DEFAULTS } from '../../../models/networks/adversary.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { TRAINING_DEFAULTS } from '../../../models/training/config.js';
import { loadNetworks } from '../../../models/training/trained-networks.js';
import { openEncodingModel } from '../../encoder/encoding-model.js';
import { auditTarget } from '../audit-target.js';
import { contextOf } from '../context.js';
import { readTrustedKeys } from '../credentials.js';

interface Options {
  readonly model: string;
  readonly trust: readonly string[];
  readonly embeddings: string;
  readonly corpus: string;
  readonly run?: string;
  readonly neighbours: string;
  readonly seed: string;
  readonly epochs?: string;
  readonly out: string;
}

export function auditCommand(): Command {
  const command = new Command('audit').description('attack a published representation');
  return command.addCommand(auditRunCommand());
}

function auditRunCommand(): Command {
  return new Command('run')
    .description('train adversaries against a bundle on labelled notes, and bound all others')
    .requiredOption('--model <dir>', 'the bundle to attack')
    .requiredOption('--trust <file...>', 'public keys of publishers you trust')
    .requiredOption('--embeddings <file>', 'the word vectors that the bundle names')
    .requiredOption('--corpus <path>', 'labelled notes that the bundle was not trained on')
    .option('--run <dir>', 'the training run, to go on from its adversary; else a fresh one')
    .option('--neighbours <n>', 'candidates of a moved word', `${TRAINING_DEFAULTS.neighbours}`)
    .option('--seed <n>', 'seed of splits, pairs and noise', '1')
    .option('--epochs <n>', 'at most this many epochs an attack; the paper’s 50 by default')
    .requiredOption('--out <file>', 'where the JSON report goes')
    .action(async (options: Options, self: Command) => {
      const { signal, progress, result } = contextOf(self);
      await useBackend(self.optsWithGlobals<{ backend?: string }>().backend);
      const trustedKeys = await readTrustedKeys(options.trust);
      const embeddings = await openEmbeddings(options.embeddings, { signal, progress });
      const model = await openEncodingModel(options.model, { trustedKeys, embeddings });
      const documents: Document[] = [];
      for await (const document of readCorpus(options.corpus, { signal })) documents.push(document);
      const seed = Number(options.seed);
      const target = await auditTarget(model, documents, {
        seed,
        neighbours: Number(options.neighbours),
        signal,
        progress,
      });
      const report = await audit(target, {
        seed,
        bundle: model.digest,
        adversary: await adversaryOf(options.run),
        ...(options.epochs !== undefined && { maxEpochs: Number(options.epochs) }),
        signal,
        progress,
      });
      await writeFile(options.out, `${JSON.stringify(report, null, 2)}\n`);
      result(report, [...summary(report), `report: ${options.out}`]);
    });
}

async function adversaryOf(run: string | undefined) {
  if (run === undefined) return { units: ADVERSARY_DEFAULTS.units };
  const { configs, weights } = await loadNetworks(run);
  return { units: configs.adversary.units, start: weights.adversary };
}

/** The report in a few lines. */
export function summary({ attacks, certified, verdict }: AuditReport): string[] {
  return [
    ...attacks.map(
      ({ task, fresh, epochs, test: { accuracy, interval, pairs } }) =>
        `${fresh ? 'fresh' : 'continued'} adversary, ${task}: right in ${percentage(accuracy)} ` +
        `[${interval.map(percentage).join(', ')}] of ${pairs} unseen pairs after ${epochs} epochs`,
    ),
    `any adversary at all: right in at most ${percentage(certified.bound)} ` +
      `[${certified.interval.map(percentage).join(', ')}]`,
    verdict,
  ];
}

function percentage(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
