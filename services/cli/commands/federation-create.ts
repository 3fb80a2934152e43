import { Command, Option } from 'commander';
import type { TrainingSettings } from '../../../models/federation/local-training.js';
import { privacyFor } from '../../../models/federation/private-training.js';
import { TEXT_NETWORKS, type TextNetworkName } from '../../../models/federation/text-networks.js';
import { Store } from '../../../pool-store/store.js';
import { requireStoreOrNothing } from '../../../pool-store/store-folder.js';
import { TacetError } from '../../../proto/errors.js';
import {
  endsLateRounds,
  FEDERATION_PROCEDURES,
  type FederationPlan,
  parseFederationPlan,
  planDigest,
} from '../../../proto/federation-plan.js';
import { FederationFolder } from '../../federation/coordinator-state.js';
import { firstWeights, type StatedOfWeights } from '../../workflows/federation/first-weights.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { learningRateOption, lossOption } from '../local-training-options.js';
import { numberOver } from '../number-over.js';
import { shareOrNone } from '../share.js';
import { wholeNumber } from '../whole-number.js';

interface Options extends TrainingSettings {
  readonly data: string;
  readonly procedure: (typeof FEDERATION_PROCEDURES)[number];
  readonly network: TextNetworkName;
  readonly embeddings: string;
  readonly scheme: string;
  readonly workers: string;
  readonly epochs: number;
  readonly seed: number;
  readonly publicNotes?: string;
  readonly publicEpochs: number;
  readonly roundSeconds?: number;
  readonly averaging?: number;
  readonly epsilon: number;
  readonly delta: number;
}

/** About what was measured, 0.53 a round (docs/results/training-together.md). */
const ROUND_ROBIN_AVERAGING = 0.5;

/** `tacet federation create`: what all workers agree upon, and the weights that they begin with. */
export function federationCreateCommand(): Command {
  return new Command('create')
    .description('write the plan of a federation and its first weights')
    .requiredOption('--data <dir>', "the coordinator's directory, as of token create")
    .addOption(
      new Option('--procedure <name>', 'how they train together')
        .choices(FEDERATION_PROCEDURES)
        .default('averaging'),
    )
    .addOption(
      new Option('--network <name>', 'the tagger').choices(TEXT_NETWORKS).default('deidentifier'),
    )
    .requiredOption('--embeddings <file>', 'word vectors (.vec, .bin, GloVe text), or wink')
    .requiredOption('--scheme <name>', 'label scheme, by name or file')
    .requiredOption('--workers <list>', 'names of their tokens, by commas')
    .option('--epochs <n>', 'of each worker at home', wholeNumber(1), 20)
    .addOption(learningRateOption("in place of the tagger's or the procedure's own"))
    .addOption(lossOption("of a note, in place of the tagger's or the procedure's own"))
    .option('--seed <n>', 'of the first weights', wholeNumber(0), 1)
    .option(
      '--public-notes <path>',
      'labelled notes without a secret, to train the first weights on',
    )
    .option('--public-epochs <n>', 'over the public notes', wholeNumber(1), 20)
    .option(
      '--round-seconds <n>',
      'averaging, private or not: end a round without who has sent nothing by then',
      numberOver(0),
    )
    .option(
      '--averaging <share>',
      'of the average of weights over rounds, which is what all have in the end, what a later round leaves: 0 for no ' +
        `average, by default ${ROUND_ROBIN_AVERAGING} of round-robin and none of others`,
      shareOrNone,
    )
    .option('--epsilon <x>', 'of private-averaging, for every note', numberOver(0), 8)
    .option('--delta <x>', 'of private-averaging', numberOver(0), 1e-5)
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  await useBackendOf(command);
  // Tokens and keys of workers stand in the same directory.
  requireStoreOrNothing(options.data);
  const folder = new FederationFolder(options.data);
  await folder.requireNone();
  const check = (stated: StatedOfWeights) => void planOf(options, stated);
  const { weights, stated } = await firstWeights({ ...options, check }, context);
  const plan = planOf(options, stated);
  await (await Store.open(options.data)).close();
  await folder.create(plan, weights);
  const { procedure, network, epochs, workers } = plan;
  const digest = planDigest(plan);
  context.result({ ...plan, digest }, [
    `${procedure} of ${network}: ${weights.length} weights, ${workers.length} workers, ${epochs} epochs`,
    `plan ${digest}: tell each worker, who names it (federation join --plan)`,
    `give each worker a token: tacet token create --data ${options.data} --role institution --name WORKER`,
  ]);
}

/** Throws `config-invalid`, also where no noise keeps what is promised, which every worker would find out. */
function planOf(options: Options, stated: StatedOfWeights): FederationPlan {
  const { procedure, network, epochs, seed, roundSeconds = null, epsilon, delta } = options;
  const { learningRate, loss } = options;
  const { averaging = procedure === 'round-robin' ? ROUND_ROBIN_AVERAGING : 0 } = options;
  const plan = parseFederationPlan({
    ...{ format: 1, procedure, network, epochs, seed, roundSeconds },
    ...stated,
    ...(learningRate !== undefined && { learningRate }),
    ...(loss !== undefined && { loss }),
    ...(averaging > 0 && { averaging }),
    workers: options.workers.split(',').map((worker) => worker.trim()),
    guarantee: procedure === 'private-averaging' ? { epsilon, delta } : null,
  });
  if (roundSeconds !== null && !endsLateRounds(procedure))
    throw new TacetError(
      'config-invalid',
      `${procedure} has no round that ends without somebody; leave --round-seconds out`,
    );
  if (plan.guarantee) privacyFor(plan.guarantee, epochs);
  return plan;
}
