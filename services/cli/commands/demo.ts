import path from 'node:path';
import { Command, Option } from 'commander';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import {
  type TrainingConfig,
  trainingConfig,
} from '../../../models/training/configuration/config.js';
import { TacetError } from '../../../proto/errors.js';
import type { Context } from '../../workflows/context.js';
import { type DemoResult, demoTable, runDemo } from '../../workflows/demo/demo.js';
import { corpusParts, type Parts, syntheticParts } from '../../workflows/demo/parts.js';
import { type DemoObjective, OBJECTIVES } from '../../workflows/demo/setting.js';
import { letVisit } from '../../workflows/demo/visit.js';
import { readConfig } from '../../workflows/train/training-config.js';
import { useBackendOf } from '../backend-option.js';
import { languageTag } from '../bundle-options.js';
import { contextOf } from '../context.js';
import { wholeNumber } from '../whole-number.js';

interface Options {
  readonly corpus?: string;
  readonly embeddings?: string;
  readonly scheme: string;
  readonly language?: string;
  readonly config?: string;
  readonly objective: DemoObjective;
  readonly entities: 'replace' | 'keep';
  readonly seed?: number;
  readonly serve?: boolean;
  readonly out: string;
}

/**
 * What fits into some minutes of two cores: networks that are small, and λ so high that the certified limit comes
 * close to 50 %. The residual path, the copies with other entities, the general objective, averages and epochs were
 * chosen on invented notes of another seed than the demo's (docs/results/invented-notes.md).
 */
const ON_INVENTED_NOTES = {
  representation: { units: 64, dimension: 32, residual: true },
  augmentation: { replaced: 1, drawn: 20 },
  general: { objective: 'own-word', weight: 0.3 },
  deidentifier: { units: 64 },
  adversary: { units: 64 },
  learner: { learningRate: 0.005, averaging: 0.995 },
  P1: { maxEpochs: 12, patience: 2 },
  P2: { maxEpochs: 5, patience: 1 },
  P3: { maxEpochs: 4, patience: 2 },
  certified: { maxEpochs: 40, patience: 8, lambda: 1, tail: 0.1 },
  supervised: { maxEpochs: 40, patience: 5 },
  audit: { maxEpochs: 20, patience: 5 },
};

/** What fits into an hour of two cores on MEDDOCAN's 500 documents. */
const ON_A_CORPUS = {
  adversary: { units: 128 },
  P1: { maxEpochs: 15, patience: 3 },
  P2: { maxEpochs: 8, patience: 2 },
  P3: { maxEpochs: 8, patience: 3 },
  certified: { maxEpochs: 20, patience: 4 },
  supervised: { maxEpochs: 25, patience: 3 },
  audit: { maxEpochs: 50, patience: 10 },
};

export function demoCommand(): Command {
  return new Command('demo')
    .description('the whole loop on this machine, on invented notes or on a corpus of your own')
    .option('--corpus <dir>', 'labelled notes, with train and dev folders or without')
    .option('--embeddings <file>', 'word vectors in the language of the corpus')
    .option('--scheme <name>', 'label scheme of the corpus', 'meddocan')
    .option('--language <code>', 'language of the corpus (BCP 47)', languageTag)
    .option('--config <file>', 'training configuration (JSON)')
    .addOption(
      new Option(
        '--objective <name>',
        'three-phase training alone, or then the certified objective',
      )
        .choices(OBJECTIVES)
        .default('certified'),
    )
    .addOption(
      new Option(
        '--entities <what>',
        "replace the institutions' labelled entities by public ones, which is exact, or keep them",
      )
        .choices(['replace', 'keep'])
        .default('replace'),
    )
    .option(
      '--seed <n>',
      'seed of notes, splits and training; else that of --config, or 1',
      wholeNumber(0),
    )
    .option(
      '--serve',
      'leave registry, pool and an encoder running at the end, with pages to look at',
    )
    .option('--out <dir>', 'where everything is written', 'tacet-demo')
    .action(async (options: Options, command: Command) => {
      const context = contextOf(command);
      const backend = await useBackendOf(command);
      const source = options.embeddings ?? 'wink';
      const embeddings = await openEmbeddings(source, context);
      const config = await configOf(options);
      const setting = {
        directory: path.resolve(options.out),
        embeddings,
        embeddingsSource: source,
        corpusName:
          options.corpus === undefined
            ? 'invented notes'
            : path.basename(path.resolve(options.corpus)),
        parts: await partsOf(options, config.seed, context),
        language: options.corpus === undefined ? 'en' : options.language,
        scheme: loadLabelScheme(options.corpus === undefined ? 'synthetic' : options.scheme),
        config,
        objective: options.objective,
        entities: options.entities,
        backend,
      };
      const tell = (result: DemoResult) => context.result(result, demoTable(result));
      if (!options.serve) return tell(await runDemo(setting, context));
      await runDemo(setting, context, async (result, running) => {
        tell(result);
        await letVisit(running);
      });
    });
}

async function partsOf(
  { corpus, embeddings }: Options,
  seed: number,
  { signal, say }: Context,
): Promise<Parts> {
  if ((corpus === undefined) !== (embeddings === undefined)) {
    throw new TacetError('usage', '--corpus and --embeddings go together: give both or neither');
  }
  const parts =
    corpus === undefined ? syntheticParts(seed) : await corpusParts(corpus, seed, signal);
  const institutions = parts.institutions.map(({ name, notes }) => `${name} ${notes.length}`);
  say(
    `notes: provider ${parts.provider.length}, ${institutions.join(', ')}, unseen ${parts.unseen.length}`,
  );
  return parts;
}

/** The defaults, what makes the demo quick on invented notes, and over both the file and --seed. */
async function configOf({ config, corpus, seed }: Options): Promise<TrainingConfig> {
  const usual = corpus === undefined ? ON_INVENTED_NOTES : ON_A_CORPUS;
  const chosen = config === undefined ? trainingConfig(usual) : await readConfig(config, usual);
  return seed === undefined ? chosen : { ...chosen, seed };
}
