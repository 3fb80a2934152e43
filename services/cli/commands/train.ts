import path from 'node:path';
import { Command } from 'commander';
import type { Estimate } from '../../../models/attacks/estimate.js';
import { describeBundle } from '../../../models/bundle/describe.js';
import type { Embeddings } from '../../../models/embeddings/embeddings.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import type { Representation } from '../../../models/networks/representation.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { documentsDigest } from '../../../models/text/documents-digest.js';
import { type LabelScheme, loadLabelScheme } from '../../../models/text/label-scheme.js';
import { TRAINING_DEFAULTS, type TrainingConfig } from '../../../models/training/config.js';
import type { Kind } from '../../../models/training/config-schema.js';
import { type RunStatistics, statisticsLine } from '../../../models/training/phi-statistics.js';
import {
  type PreparedNotes,
  prepareNotes,
  trainAdversarial,
  trainAdversarialThenCertified,
  trainAugmented,
  trainByGradientReversal,
  trainPseudonymised,
  trainRaw,
} from '../../../models/training/recipes.js';
import { RunDirectory } from '../../../models/training/run-directory.js';
import type { StageContext, StageResult } from '../../../models/training/stage.js';
import {
  type PrivateObjective,
  stageLines,
  trainingStatement,
  validationLosses,
} from '../../../models/training/statement.js';
import type { ThreePhaseNetworks } from '../../../models/training/three-phase.js';
import {
  networksOf,
  saveNetworks,
  type TrainedNetwork,
} from '../../../models/training/trained-networks.js';
import { contextOf } from '../context.js';
import { readConfig } from '../training-config.js';
import { saveForBundle } from '../unsigned-bundle.js';
import { trainDescribeCommand } from './train-describe.js';
import { trainPooledCommand } from './train-pooled.js';

/** What a kind of training ends with: its networks and how each stage went. */
interface Outcome {
  readonly networks: Readonly<Record<string, TrainedNetwork>>;
  /** Where there is one, it can be published. */
  readonly representation?: Representation;
  readonly objective?: PrivateObjective;
  readonly stages: Readonly<Record<string, StageResult>>;
  /** Where PHI moves. */
  readonly statistics?: RunStatistics;
  /** Of pairs that any adversary can be right about, where the noise depends on the input. */
  readonly limit?: Estimate;
}

type Recipe = (
  notes: PreparedNotes,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
) => Promise<Outcome>;

interface Options {
  readonly embeddings: string;
  readonly scheme: string;
  readonly out: string;
  readonly name: string;
  readonly modelVersion: string;
  readonly config?: string;
  readonly resume?: boolean;
}

interface Training {
  readonly kind: Kind;
  readonly summary: string;
  readonly recipe: Recipe;
}

const TRAININGS: readonly Training[] = [
  {
    kind: 'raw',
    summary: 'the non-private de-identifier, on the notes as they are',
    recipe: async (...input) => {
      const { deidentifier, stage } = await trainRaw(...input);
      return { networks: { deidentifier }, stages: { supervised: stage } };
    },
  },
  {
    kind: 'pseudonymized',
    summary: 'the de-identifier on automatically pseudonymised notes',
    recipe: async (...input) => {
      const { deidentifier, stage, statistics } = await trainPseudonymised(...input);
      return { networks: { deidentifier }, stages: { supervised: stage }, statistics };
    },
  },
  {
    kind: 'augmented',
    summary: 'the non-private de-identifier, on the notes and fresh pseudonymised copies',
    recipe: async (...input) => {
      const { deidentifier, stage, statistics } = await trainAugmented(...input);
      return { networks: { deidentifier }, stages: { supervised: stage }, statistics };
    },
  },
  {
    kind: 'adversarial',
    summary: 'the private representation, by three-phase adversarial training',
    recipe: async (...input) => privateOutcome('adversarial', await trainAdversarial(...input)),
  },
  {
    kind: 'dann',
    summary: 'the private representation, by gradient reversal (the paper’s baseline)',
    recipe: async (...input) => privateOutcome('dann', await trainByGradientReversal(...input)),
  },
  {
    kind: 'certified',
    summary: 'the private representation, by three phases and then the certified objective',
    recipe: async (...input) =>
      privateOutcome('certified', await trainAdversarialThenCertified(...input)),
  },
];

function privateOutcome(
  objective: PrivateObjective,
  {
    representation,
    deidentifier,
    adversary,
    ...rest
  }: ThreePhaseNetworks & Omit<Outcome, 'networks'>,
): Outcome {
  const networks = { representation, deidentifier, adversary };
  return { ...rest, networks, representation, objective };
}

export function trainCommand(): Command {
  const command = new Command('train').description('train a model, of one of the kinds below');
  for (const training of TRAININGS) command.addCommand(kindCommand(training));
  return command.addCommand(trainPooledCommand()).addCommand(trainDescribeCommand());
}

function kindCommand({ kind, summary, recipe }: Training): Command {
  return new Command(kind)
    .description(summary)
    .argument('<corpus>', 'labelled notes: a file or a folder')
    .requiredOption('--embeddings <file>', 'word vectors (.vec, .bin, GloVe text), or wink')
    .requiredOption('--scheme <name>', 'label scheme, by name or file')
    .requiredOption('--out <dir>', 'run directory: configuration, metrics, checkpoints, weights')
    .option('--name <name>', 'name of a published representation', kind)
    .option('--model-version <version>', 'its version', '1.0.0')
    .option('--config <file>', 'configuration (JSON), or the name of one: see tacet train describe')
    .option('--resume', 'continue the run in --out where it stopped')
    .action(async (corpus: string, options: Options, command: Command) => {
      const { signal, progress, result, say } = contextOf(command);
      const backend = await useBackend(command.optsWithGlobals<{ backend?: string }>().backend);
      const config = await readConfig(options.config, {}, kind);
      const scheme = loadLabelScheme(options.scheme);
      const embeddings = await openEmbeddings(options.embeddings, { signal, progress });
      const documents = await collect(readCorpus(corpus, { signal }));
      const record = {
        ...{ kind, backend, scheme: scheme.digest, embeddings: embeddings.identity },
        ...{ corpus: documentsDigest(documents), ...config },
      };
      const { resume = false } = options;
      const run = await RunDirectory.open(options.out, record, {
        resume,
        defaults: TRAINING_DEFAULTS,
      });
      const context = { random: new Random(config.seed), run, signal, progress };
      const notes = prepareNotes(documents, scheme, embeddings, config, context);
      const { train, validation } = notes.documents;
      say(`training on ${train} documents, stopping by ${validation} others, backend ${backend}`);
      const outcome = await recipe(notes, scheme, config, context);
      await saveNetworks(options.out, networksOf(outcome.networks));
      const { stages, statistics, limit } = outcome;
      const lines = [...stageLines(stages), ...(statistics ? [statisticsLine(statistics)] : [])];
      if (limit) {
        lines.push(limitLine(limit), 'no bundle: its noise depends on the input');
      } else if (outcome.representation && outcome.objective) {
        const { objective } = outcome;
        const published = { objective, options, config, scheme, embeddings, train };
        lines.push(await prepareBundle(outcome.representation, outcome.stages, published));
      }
      const { documents: split } = notes;
      result({ kind, out: options.out, documents: split, stages, statistics, limit }, lines);
    });
}

interface Published {
  readonly objective: PrivateObjective;
  readonly options: Options;
  readonly config: TrainingConfig;
  readonly scheme: LabelScheme;
  readonly embeddings: Embeddings;
  /** Documents that were trained on. */
  readonly train: number;
}

/** Writes what `tacet bundle create` signs, and says how to call it. */
async function prepareBundle(
  representation: Representation,
  stages: Outcome['stages'],
  { objective, options, config, scheme, embeddings, train }: Published,
): Promise<string> {
  const described = describeBundle(
    { representation },
    {
      name: options.name,
      version: options.modelVersion,
      scheme,
      embeddings,
      embeddingsName: path.basename(options.embeddings),
      training: trainingStatement(objective, config, train),
      scores: validationLosses(stages),
    },
  );
  const { manifest, weights } = await saveForBundle(options.out, described);
  return `to sign it: tacet bundle create DIR --manifest ${manifest} --weights ${weights} --key PRIVATE.pem`;
}

function limitLine({ value, interval }: Estimate): string {
  const [from, to] = interval.map((end) => (100 * end).toFixed(1));
  return `no adversary is right about more than ${(100 * value).toFixed(1)} % of pairs [${from}, ${to}]`;
}

async function collect(documents: AsyncIterable<Document>): Promise<Document[]> {
  const all: Document[] = [];
  for await (const document of documents) all.push(document);
  return all;
}
