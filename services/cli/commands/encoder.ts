import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { SURROGATE_LANGUAGES } from '../../../models/surrogates/surrogate-language.js';
import { readFailure } from '../../../platform/system-error.js';
import type { EntityTreatment } from '../../../proto/entity-treatment.js';
import { TacetError } from '../../../proto/errors.js';
import { createEncoderApp } from '../../encoder/encoder-app.js';
import { encoderRoutes } from '../../encoder/encoder-routes.js';
import { EncoderService } from '../../encoder/encoder-service.js';
import type { ModelSetup, SecondReading } from '../../encoder/model-calls.js';
import { ModelThread } from '../../encoder/model-thread.js';
import { encoderSite } from '../../encoder/pages/encoder-site.js';
import { explainByPlace } from '../../http/explained-error.js';
import { DEFAULT_LIMITS } from '../../http/limits.js';
import { isLoopback } from '../../http/loopback.js';
import { listen } from '../../http/server.js';
import type { Approval } from '../../institution/approval/approval.js';
import type { ApprovalGrounds } from '../../institution/approval/model-approval.js';
import { encodingLimits, type Policy } from '../../institution/approval/policy.js';
import { approveByRegistry } from '../../institution/approval/registry-grounds.js';
import { pipelineGrounds } from '../../institution/approval/standing-approval.js';
import { readyPipeline } from '../../institution/deidentify/ready-pipeline.js';
import { makeHome } from '../../institution/release/home/home.js';
import type { Context } from '../../workflows/context.js';
import { homeToEncodeIn } from '../../workflows/encoder-home.js';
import { type EntityTerms, readingOf, treatmentOf } from '../../workflows/entity-terms.js';
import { backendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { readTokenFile, registryAccess } from '../credentials.js';
import {
  approvalOf,
  EMBEDDINGS,
  type EncoderOptions,
  VECTORS,
  withApprovalOptions,
} from '../encoder-options.js';
import { withSuspectOptions, withTreatmentOptions } from '../entity-options.js';
import { withNewHomeOption } from '../home-options.js';
import { flagOf } from '../serve-settings.js';
import { LOG_LEVELS, openLog } from '../server-log.js';
import { parseShare } from '../share.js';
import { readTls, type TlsFiles } from '../tls-files.js';
import { startTracing } from '../tracing.js';
import { wholeNumber } from '../whole-number.js';

interface ServeOptions extends EncoderOptions, Omit<EntityTerms, 'reader'>, TlsFiles {
  readonly unprotected?: boolean;
  readonly model?: string;
  readonly pipeline?: string;
  readonly input?: string;
  readonly threshold?: number;
  readonly language: readonly string[];
  readonly access?: string;
  readonly host: string;
  readonly port?: number;
  readonly presidio?: boolean;
  readonly ignore?: readonly string[];
  readonly lowScore?: readonly string[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** Options of encoding, which do nothing without a representation. */
const OF_ENCODING = [
  ...(['entities', 'keep', 'inventory'] as const),
  ...(['suspects', 'readerThreshold', 'input'] as const),
] as const;
const DEFAULT_PORT = 7430;
const PRESIDIO_PORT = 3000;
const MAX_PORT = 65_535;
/** Characters that nobody guesses. */
const LEAST_TOKEN = 16;

/** `tacet encoder`: encoding and de-identification as a service inside an institution. */
export function encoderCommand(): Command {
  const serving = new Command('serve')
    .description(
      'run the encoder until a signal; of no model that is named, with the pipeline that is ready',
    )
    .option('--model <bundle>', 'representation bundle, to encode with')
    .option('--pipeline <bundle>', 'pipeline bundle, to de-identify with');
  withSuspectOptions(withTreatmentOptions(withApprovalOptions(withNewHomeOption(serving))))
    .option(EMBEDDINGS, VECTORS)
    .option('--input <directory>', 'files below it may be encoded by name')
    .option('--threshold <share>', 'a token is PHI from this probability on', parseShare)
    .option(
      '--language <code...>',
      'of the pipeline; /analyze refuses others, surrogates are of the first',
      [...SURROGATE_LANGUAGES],
    )
    .option('--access <file>', 'file with the bearer token that callers send')
    .option(
      '--host <address>',
      'address to bind; another than loopback needs --access and a certificate',
      '127.0.0.1',
    )
    .option(
      '--unprotected',
      'let the address be asked in clear and, as localhost, without a token: where nobody but its users ' +
        'reaches it, as in a container whose port is published to one machine (-p 127.0.0.1:3000:3000)',
    )
    .option('--tls-certificate <file>', 'file of the certificate chain (PEM), for https')
    .option('--tls-key <file>', 'file of its private key (PEM)')
    .option('--port <number>', `port, 0 for any (default: ${DEFAULT_PORT})`, wholeNumber(0, 65_535))
    .option(
      '--presidio',
      `the port that Presidio's containers take: PORT of the environment, or ${PRESIDIO_PORT}`,
    )
    .option(
      '--ignore <type...>',
      "types that /analyze leaves out, as Presidio's own configuration does with ORGANIZATION",
    )
    .option(
      '--low-score <type...>',
      "types of the model whose scores /analyze lowers to two fifths, as Presidio's configuration of a de-identifier does with ID",
    )
    .addOption(
      new Option('--log-level <level>', 'least level of the log on standard error')
        .choices(LOG_LEVELS)
        .default('info'),
    )
    .action(serve);
  return new Command('encoder')
    .description('encode and de-identify over HTTP, in house')
    .addCommand(serving);
}

async function serve(given: GivenOptions, command: Command): Promise<void> {
  const context = contextOf(command);
  requireEncoding(given);
  const options = await withModels(given, command, context);
  const { signal, result } = context;
  const port = portOf(options);
  const { host, logLevel, input, threshold, language: languages } = options;
  requireProtected(options);
  const logger = openLog(logLevel);
  const lacking = lackingOf(options);
  if (lacking.length > 0) logger.warn(`${host} is asked ${lacking.join(' and ')}`);
  const token = options.access === undefined ? undefined : await readAccess(options.access);
  const tls = await readTls(options);
  if (input !== undefined) await requireFolder(input);
  const approval = await approvalOf(options);
  const treatment = await treatmentOf(options, approval.policy);
  const reading = readingBy(options, approval.policy, treatment.entities);
  const { directory: home, mayMake } = await homeToEncodeIn(options, approval.policy, context);
  const backend = backendOf(command);
  const tracing = await startTracing(process.env, 'tacet-encoder');
  const models = await ModelThread.start(setupOf(options, approval, backend), context);
  try {
    const asked = await approveAll(models, approval, options, context);
    await models.call('load', undefined, context);
    if (mayMake) await makeHome(home, signal);
    const { policy } = approval;
    const { entities } = treatment;
    // Of each job that the policy allows, which may keep types of its own.
    const limited = policy && encodingLimits(policy, { entities, keptTypes: policy.keptTypes });
    const limits = { ...limited, ...treatment };
    const explain = explainByPlace(logger);
    const service = await EncoderService.open({
      home,
      models,
      limits,
      policy,
      reading,
      input,
      approval: asked.approval,
      pipelineApproval: asked.ofPipeline,
      threshold,
      languages,
      ignored: options.ignore,
      lowScored: options.lowScore,
      explain,
    });
    const app = createEncoderApp({
      routes: encoderRoutes(service),
      site: encoderSite(service, token),
      token,
      requireReady: () => service.requireReady(),
      logger,
      explain,
    });
    const server = await listen(app, { host, port, tls, limits: DEFAULT_LIMITS });
    try {
      result({ encoder: server.url }, `encoder ${server.url}`);
      // Without its models the encoder is of no use: whoever watches over it should start it again.
      if (!signal.aborted) await Promise.race([once(signal, 'abort'), models.ended]);
    } finally {
      await service.close();
      await server.close();
    }
  } finally {
    await models.close();
    await tracing.close();
  }
}

type GivenOptions = Omit<ServeOptions, 'embeddings'> & { readonly embeddings?: string };

/** Where no model is named, the pipeline that is ready for the language, which alone is then read. */
async function withModels(
  { embeddings, ...options }: GivenOptions,
  command: Command,
  { say }: Pick<Context, 'say'>,
): Promise<ServeOptions> {
  const { model, pipeline, policy, trust } = options;
  if (model !== undefined || pipeline !== undefined) {
    if (embeddings !== undefined) return { ...options, embeddings };
    throw new TacetError('usage', '--embeddings: name the word vectors of the bundle, or wink');
  }
  if (embeddings !== undefined || policy !== undefined || trust !== undefined)
    throw new TacetError('usage', 'give --model, --pipeline, or both');
  const named = command.getOptionValueSource('language') === 'default' ? [] : options.language;
  const [language = 'en', ...others] = named;
  if (others.length > 0)
    throw new TacetError(
      'usage',
      '--language: name one language, or a --pipeline that reads several',
    );
  const ready = await readyPipeline(language);
  say(`with the pipeline in ${ready.bundle}`);
  return {
    ...options,
    pipeline: ready.bundle,
    trust: [ready.publisher],
    embeddings: ready.embeddings,
    language: [language],
  };
}

function requireEncoding(given: GivenOptions): void {
  if (given.model !== undefined) return;
  const idle = OF_ENCODING.filter((name) => given[name] !== undefined);
  if (idle.length === 0) return;
  throw new TacetError(
    'usage',
    `${idle.map((name) => `--${flagOf(name)}`).join(', ')}: nothing is encoded without a representation; give --model too`,
  );
}

async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw readFailure(error, path);
  });
  if (!found.isDirectory())
    throw new TacetError('file-unreadable', `--input ${path}: expected a folder of notes`);
}

function portOf({ port, presidio }: ServeOptions): number {
  if (port !== undefined) return port;
  if (!presidio) return DEFAULT_PORT;
  const { PORT } = process.env;
  if (PORT === undefined) return PRESIDIO_PORT;
  if (/^\d{1,5}$/.test(PORT) && Number(PORT) <= MAX_PORT) return Number(PORT);
  throw new TacetError('config-invalid', `PORT: expected a port, 0 to ${MAX_PORT}`);
}

/** Only where it is asked for: the pipeline is there to de-identify, too. */
function readingBy(
  { pipeline, suspects, readerThreshold }: ServeOptions,
  policy: Policy | undefined,
  entities: EntityTreatment | undefined,
): SecondReading | undefined {
  if ((suspects ?? policy?.suspects) === undefined) {
    if (readerThreshold === undefined) return undefined;
    throw new TacetError('usage', '--reader-threshold: nothing is read again; give --suspects too');
  }
  return readingOf({ reader: pipeline, suspects, readerThreshold }, policy, entities);
}

/** What of its protection was waived, on an address that others reach. */
function lackingOf({ host, access, tlsCertificate }: ServeOptions): string[] {
  if (isLoopback(host)) return [];
  return [
    ...(tlsCertificate === undefined ? ['in clear'] : []),
    ...(access === undefined ? ['without a token'] : []),
  ];
}

/** Notes come in and go out: no one else may ask, and nobody may listen. */
function requireProtected({ host, access, tlsCertificate, unprotected }: ServeOptions): void {
  if (isLoopback(host) || unprotected) return;
  if (access === undefined)
    throw new TacetError('usage', `--host ${host}: others could reach it; give --access as well`);
  if (tlsCertificate === undefined)
    throw new TacetError(
      'usage',
      `--host ${host}: notes would cross the network in clear; give --tls-certificate and --tls-key, ` +
        'or bind to 127.0.0.1 behind a proxy of this machine that speaks TLS, ' +
        'or say --unprotected where nobody but its users reaches it',
    );
}

function setupOf(
  { model, pipeline, embeddings }: ServeOptions,
  { policy, trust }: Approval,
  backend: string | undefined,
): ModelSetup {
  return { trust, scheme: policy?.labelScheme, embeddings, model, pipeline, backend };
}

/** The service asks again: for the representation before each job, for the pipeline each minute. */
async function approveAll(
  { identities: { model, pipeline } }: ModelThread,
  grounds: Approval,
  options: ServeOptions,
  context: Context,
): Promise<{ readonly approval: ApprovalGrounds; readonly ofPipeline: ApprovalGrounds }> {
  const access = registryAccess(options);
  const approval = model ? await approveByRegistry(model, grounds, access, context) : grounds;
  const own = pipelineGrounds(grounds);
  const ofPipeline = pipeline ? await approveByRegistry(pipeline, own, access, context) : own;
  return { approval, ofPipeline };
}

async function readAccess(file: string): Promise<string> {
  const token = await readTokenFile(file);
  if (token.length >= LEAST_TOKEN) return token;
  throw new TacetError(
    'config-invalid',
    `${file}: expected one token of ${LEAST_TOKEN} characters or more`,
  );
}
