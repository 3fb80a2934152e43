import { Command, Option } from 'commander';
import { readPrivateKey } from '../../../models/bundle/key-files.js';
import type { TrainingSettings } from '../../../models/federation/local-training.js';
import { FESTAG_SELECTION } from '../../../models/federation/selective-sgd.js';
import { TEXT_NETWORKS } from '../../../models/federation/text-networks.js';
import { commandLine } from '../../../platform/shell-words.js';
import { keyIdOf } from '../../../proto/dsse.js';
import { FEDERATION_PROCEDURES } from '../../../proto/federation-plan.js';
import { tokenScore } from '../../../study/measures/token-score.js';
import { writeResult } from '../../workflows/federation/federation-result.js';
import { joinFederation } from '../../workflows/federation/join-federation.js';
import { localPart } from '../../workflows/federation/local-part.js';
import { remoteFederation } from '../../workflows/federation/remote-federation.js';
import { WorkerHome } from '../../workflows/federation/worker-home.js';
import { withRunLock } from '../../workflows/train/run-lock.js';
import { explainingApproval } from '../approval.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { clientFor, type TokenOptions, withTokenOptions } from '../credentials.js';
import { learningRateOption, lossOption } from '../local-training-options.js';
import { numberOver } from '../number-over.js';
import { parseShare, shareOrNone } from '../share.js';

interface Options extends TokenOptions, TrainingSettings {
  readonly coordinator: string;
  readonly name: string;
  readonly key: string;
  readonly procedure: string;
  readonly network: string;
  readonly plan?: string;
  readonly epsilon: number;
  readonly delta: number;
  readonly corpus: string;
  readonly heldOut?: string;
  readonly embeddings: string;
  readonly scheme: string;
  readonly home: string;
  readonly downloadShare: number;
  readonly uploadShare: number;
  readonly bound: number;
  readonly threshold: number;
}

const SELECTION = FESTAG_SELECTION;

/** `tacet federation join`: a worker, to the end of the federation; run it again where it was interrupted. */
export function federationJoinCommand(): Command {
  const command = new Command('join').description(
    'train on own notes in a federation, until it is over; notes stay at home',
  );
  return withTokenOptions(command)
    .requiredOption('--coordinator <url>', 'address of the coordinator')
    .requiredOption('--name <name>', 'of this worker, that of its token')
    .requiredOption('--key <file>', 'private key of this worker, which signs its updates')
    .addOption(
      new Option('--procedure <name>', 'the one that was agreed upon; another is refused')
        .choices(FEDERATION_PROCEDURES)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--network <name>', 'the tagger that was agreed upon; another is refused')
        .choices(TEXT_NETWORKS)
        .default('deidentifier'),
    )
    .option(
      '--plan <sha256>',
      'of the plan that was agreed upon, as federation create says it; another is refused',
    )
    .option('--epsilon <x>', 'private averaging: the most that a note may cost', numberOver(0), 8)
    .option('--delta <x>', 'private averaging: at this delta, at most', numberOver(0), 1e-5)
    .addOption(
      learningRateOption('the one that was agreed upon, where one was; another is refused'),
    )
    .addOption(lossOption('the one that was agreed upon, where one was; another is refused'))
    .requiredOption('--corpus <path>', 'the labelled notes that are trained on')
    .option('--held-out <path>', 'labelled notes that the result is scored on')
    .requiredOption('--embeddings <file>', 'the word vectors that were agreed upon')
    .requiredOption('--scheme <name>', 'the label scheme that was agreed upon')
    .requiredOption('--home <dir>', 'a folder of this worker for this federation')
    .option(
      '--download-share <x>',
      'selective: of all weights taken over before an epoch',
      shareOrNone,
      SELECTION.downloadShare,
    )
    .option(
      '--upload-share <x>',
      'selective: of all weights whose changes are sent at most',
      parseShare,
      SELECTION.uploadShare,
    )
    .option('--bound <x>', 'selective: changes are clamped to it', numberOver(0), SELECTION.bound)
    .option(
      '--threshold <x>',
      'selective: smaller changes stay at home',
      numberOver(0),
      SELECTION.threshold,
    )
    .action((options: Options, command: Command) =>
      // Two at once would send two updates of one epoch, with noise of their own each.
      withRunLock(options.home, () => run(options, command)),
    );
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  const { signal, say, result } = context;
  await useBackendOf(command);
  const privateKey = await readPrivateKey(options.key);
  const client = await clientFor(options.coordinator, options);
  const federation = remoteFederation(client, options.name, privateKey, signal);
  const plan = await federation.plan();
  const { epsilon, delta, downloadShare, uploadShare, bound, threshold } = options;
  const agreed = { ...options, most: { epsilon, delta } };
  const { part, heldOut, notes } = await localPart(plan, agreed, context);
  const trained = new WorkerHome(options.home, plan, notes);
  const worker = {
    ...{ plan, signal, home: trained, ...part },
    selection: { downloadShare, uploadShare, bound, threshold },
    begins: (epoch: number) => say(`epoch ${epoch} begins`),
    say: (epoch: number) => say(`epoch ${epoch} sent`),
    leftOut: (times: number) =>
      say(
        `${times} times a note added nothing: at the coordinator's weights its loss is no number`,
      ),
  };
  await explainingApproval(
    () => joinFederation(federation, worker),
    async () => ({
      ...{ keyId: keyIdOf(privateKey), privateKeyFile: options.key, server: options.coordinator },
      ...{ client, tokenFile: options.tokenFile },
    }),
  );
  const { training } = part;
  const { learned } = trained;
  const file = await writeResult(options.home, training.network.parameters.toArrays(), {
    ...{ worker: options.name, plan, documents: notes.documents },
    ...(learned && { notes: learned.digest }),
    taken: await federation.taken(),
  });
  if (heldOut && !learned)
    say(
      `not scored: ${options.home} does not say which notes it was trained on, as of an earlier version`,
    );
  const score =
    learned && heldOut && tokenScore(heldOut.map((text) => training.network.read(text)));
  training.dispose();
  const { home, embeddings, scheme } = options;
  const isPublishable = plan.network === 'deidentifier';
  const pipeline = ['tacet', 'federation', 'pipeline', home, '--out', `${home}-pipeline`];
  const next = commandLine(...pipeline, '--embeddings', embeddings, '--scheme', scheme);
  result({ weights: file, score: score ?? null, next: isPublishable ? [next] : [] }, [
    `weights ${file}`,
    ...(score
      ? [`F1 ${(100 * score.f1).toFixed(2)}, recall ${(100 * score.recall).toFixed(2)}`]
      : []),
    ...(isPublishable ? [`next, a pipeline of them: ${next}`] : []),
  ]);
}
