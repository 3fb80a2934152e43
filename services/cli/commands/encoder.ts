import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { pino } from 'pino';
import type { Embeddings } from '../../../models/embeddings/embeddings.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { TacetError } from '../../../proto/errors.js';
import { createEncoderApp, logUnexpected } from '../../encoder/encoder-app.js';
import { encoderRoutes } from '../../encoder/encoder-routes.js';
import { EncoderService } from '../../encoder/encoder-service.js';
import { openEncodingModel } from '../../encoder/encoding-model.js';
import { encodingLimits, readPolicy } from '../../encoder/policy.js';
import { requireAudit } from '../../encoder/required-audit.js';
import { openTaggingModel } from '../../encoder/tagging-model.js';
import { DEFAULT_LIMITS } from '../../http/limits.js';
import { expectedError } from '../../http/problem-answer.js';
import { listen } from '../../http/server.js';
import { contextOf } from '../context.js';
import { clientFor, readTrustedKeys, type TokenOptions, withTokenOptions } from '../credentials.js';
import { share } from '../share.js';
import { readAudits } from '../signed-audits.js';
import { wholeNumber } from '../whole-number.js';

interface ServeOptions extends TokenOptions {
  readonly home: string;
  readonly model?: string;
  readonly pipeline?: string;
  readonly embeddings: string;
  readonly policy?: string;
  readonly trust?: readonly string[];
  readonly audit?: readonly string[];
  readonly registry?: string;
  readonly input?: string;
  readonly threshold?: number;
  readonly access?: string;
  readonly host: string;
  readonly port: number;
  readonly logLevel: string;
}

const DEFAULT_PORT = 7430;
const STANDARD_ERROR = 2;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** `tacet encoder`: encoding and de-identification as a service inside an institution. */
export function encoderCommand(): Command {
  const encoder = new Command('encoder').description('encode and de-identify over HTTP, in house');
  encoder.addCommand(
    withTokenOptions(
      new Command('serve')
        .description('run the encoder until a signal')
        .requiredOption('--home <directory>', 'ledger, outbox and unfinished jobs; keep it')
        .option('--model <bundle>', 'representation bundle, to encode with')
        .option('--pipeline <bundle>', 'pipeline bundle, to de-identify with')
        .requiredOption('--embeddings <file>', 'the word vectors that the bundles name, or wink')
        .option('--policy <file>', 'what this institution allows: keys, audit, limits')
        .option('--trust <file...>', 'public keys of publishers you trust, without a policy')
        .option('--audit <file...>', 'signed audits of the model, where the policy asks for one')
        .option('--registry <url>', 'asked before each job whether the model was revoked')
        .option('--input <directory>', 'files below it may be encoded by name')
        .option('--threshold <share>', 'a token is PHI from this probability on', share)
        .option('--access <file>', 'file with the bearer token that callers send')
        .option(
          '--host <address>',
          'address to bind; another than loopback needs --access',
          '127.0.0.1',
        )
        .option('--port <number>', 'port, 0 for any', wholeNumber(0, 65_535), DEFAULT_PORT)
        .addOption(
          new Option('--log-level <level>', 'least level of the log on standard error')
            .choices(['debug', 'info', 'warn', 'error', 'silent'])
            .default('info'),
        ),
    ).action(serve),
  );
  return encoder;
}

async function serve(options: ServeOptions, command: Command): Promise<void> {
  const { signal, progress, result } = contextOf(command);
  const { host, port, logLevel: level } = options;
  if (options.access === undefined && !LOOPBACK.test(host))
    throw new TacetError('usage', `--host ${host}: others could reach it; give --access as well`);
  const logger = pino({ level, base: null }, pino.destination({ fd: STANDARD_ERROR, sync: true }));
  await useBackend(command.optsWithGlobals().backend);
  const embeddings = await openEmbeddings(options.embeddings, { signal, progress });
  const service = await EncoderService.open({
    ...(await modelsOf(options, embeddings)),
    home: options.home,
    input: options.input,
    threshold: options.threshold,
    registry:
      options.registry === undefined ? undefined : await clientFor(options.registry, options),
    explain: (error) => {
      logUnexpected(error, logger);
      return expectedError(error);
    },
  });
  const token = options.access === undefined ? undefined : await readAccess(options.access);
  const app = createEncoderApp({ routes: encoderRoutes(service), token, logger });
  const server = await listen(app, { host, port, limits: DEFAULT_LIMITS });
  try {
    result({ encoder: server.url }, `encoder ${server.url}`);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await service.close();
    await server.close();
  }
}

async function modelsOf(
  { model, pipeline, policy: policyFile, trust, audit }: ServeOptions,
  embeddings: Embeddings,
) {
  if (model === undefined && pipeline === undefined)
    throw new TacetError('usage', 'give --model, --pipeline, or both');
  const policy = policyFile === undefined ? undefined : await readPolicy(policyFile);
  if (!policy === !trust) throw new TacetError('usage', 'give --policy or --trust, one of the two');
  const trustedKeys = policy?.publisherKeys ?? (await readTrustedKeys(trust ?? []));
  const scheme = policy?.labelScheme;
  const opened = {
    model:
      model === undefined
        ? undefined
        : await openEncodingModel(model, { trustedKeys, embeddings, scheme }),
    tagger:
      pipeline === undefined
        ? undefined
        : await openTaggingModel(pipeline, { trustedKeys, embeddings }),
    limits: policy ? encodingLimits(policy) : {},
  };
  if (policy?.audit && opened.model)
    requireAudit(opened.model.digest, await readAudits(audit ?? []), policy.audit);
  return opened;
}

async function readAccess(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new TacetError('file-not-found', `${file}: no such token file`);
  });
  const token = text.trim();
  if (/^[\x21-\x7e]{16,}$/.test(token)) return token;
  throw new TacetError('config-invalid', `${file}: expected one token of 16 characters or more`);
}
