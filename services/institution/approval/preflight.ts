import { type Trust, type VerifiedFiles, verifyBundle } from '../../../models/bundle/verify.js';
import type { Embeddings } from '../../../models/embeddings/embeddings.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { useBackend } from '../../../models/tensor/backend.js';
import type { Progress } from '../../../platform/progress.js';
import { type ErrorCode, TacetError } from '../../../proto/errors.js';
import type { ServiceClient } from '../../client/client.js';
import { type ModelIdentity, openEncodingModel } from '../bundles/encoding-model.js';
import {
  requireEmbeddings,
  requireKind,
  requireScheme,
  requireTokenisation,
} from '../bundles/fitted-bundle.js';
import { freeSpace, ledgerIn } from './home-checks.js';
import { type ApprovalGrounds, approveModel } from './model-approval.js';
import type { Policy } from './policy.js';
import { compareClocks, mayContribute, poolTime } from './pool-checks.js';
import { requireAudit } from './required-audit.js';

export interface PreflightOptions {
  readonly model: string;
  readonly trust: Trust;
  readonly policy?: Policy | undefined;
  readonly embeddings: string;
  readonly home: string;
  /** Whether encoding would make the home where there is none. */
  readonly mayMakeHome?: boolean | undefined;
  readonly registry?: ServiceClient | undefined;
  /** Finds the registry that the model came from, where none was given. */
  readonly groundsFor?:
    | ((
        model: ModelIdentity,
        grounds: ApprovalGrounds,
        say: (line: string) => void,
      ) => Promise<ApprovalGrounds>)
    | undefined;
  readonly pool?: { readonly url: string; readonly client: ServiceClient } | undefined;
  readonly audits: readonly unknown[];
  readonly backend?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** One thing that encoding and contributing need. */
export interface Check {
  readonly name: string;
  /** Null where it was not looked at, since nothing asked for it or an earlier check failed. */
  readonly passed: boolean | null;
  readonly finding: string;
  /** What to do; empty where it passed. */
  readonly advice: string;
}

type Look = () => Promise<string>;
/** What to do, by what went wrong. */
type Advice = { readonly otherwise: string } & Partial<Readonly<Record<ErrorCode, string>>>;

const SERVER_ADVICE = {
  'server-unreachable': 'check the address and the network; ask its operator whether it runs',
  'server-failed': 'check that the address is that of a Tacet server; ask its operator',
  unauthorized: 'give a token that has neither expired nor been revoked; ask for a new one',
};

/** Looks at everything that a job needs, with what the job itself asks, and goes on after a failure. */
export async function preflight(options: PreflightOptions): Promise<Check[]> {
  const { model, trust, policy, registry, pool, home, signal } = options;
  const { mayMakeHome = false } = options;
  const requireRevocationCheck = policy?.requireRevocationCheck ?? false;
  const checks: Check[] = [];
  let bundle: VerifiedFiles | undefined;
  let embeddings: Embeddings | undefined;
  let poolMs: number | undefined;
  let audits = options.audits;
  const verified = () => known(bundle, 'the model did not verify');
  const looks: readonly (readonly [string, Advice, Look | undefined])[] = [
    [
      'model and signature',
      {
        'model-unsuitable': 'give a representation bundle: a pipeline is for tacet deidentify',
        'key-untrusted': 'check which publisher keys you trust, and who signed the model',
        otherwise:
          'fetch the model again with tacet model fetch; check which publisher keys you trust',
      },
      async () => {
        const found = await verifyBundle(model, trust);
        requireKind(model, found.manifest, 'representation');
        bundle = found;
        const { manifest, digest } = found;
        return `${manifest.name} ${manifest.version}, digest ${digest}`;
      },
    ],
    [
      'tokenisation',
      { otherwise: 'use the version of tacet that the model was made with, or a newer model' },
      async () => {
        const { tokenisation } = verified().manifest;
        requireTokenisation(model, tokenisation);
        return tokenisation;
      },
    ],
    [
      'label scheme',
      {
        otherwise: 'fetch a model of the label scheme that the policy names, or change the policy',
      },
      async () => {
        const { name, version } = requireScheme(model, verified().manifest, policy?.labelScheme);
        return `${name} ${version}`;
      },
    ],
    [
      'embeddings',
      { otherwise: "get the embeddings file that the model's card names" },
      async () => {
        embeddings = await openEmbeddings(options.embeddings, options);
        requireEmbeddings(model, verified().manifest, embeddings);
        return embeddings.identity;
      },
    ],
    [
      'registry and revocation',
      {
        ...SERVER_ADVICE,
        'model-revoked': 'fetch another model',
        'bundle-digest': 'fetch the model again with tacet model fetch',
        otherwise: 'check the address of the registry and the token',
      },
      registry || requireRevocationCheck || options.groundsFor
        ? async () => {
            const { digest, manifest } = verified();
            const model = { ...manifest, digest };
            const given = { registry, policy: { requireRevocationCheck } };
            const said: string[] = [];
            const say = (line: string) => void said.push(line);
            const grounds = (await options.groundsFor?.(model, given, say)) ?? given;
            if (!grounds.registry && !requireRevocationCheck)
              throw new NotLookedAt(said.join('; ') || 'no registry is known');
            const status = await approveModel(model, grounds, signal);
            audits = [...audits, ...(status?.audits ?? [])];
            return [status?.status, status?.reason, ...said].filter(Boolean).join(': ');
          }
        : undefined,
    ],
    [
      'audit',
      {
        otherwise:
          'ask the publisher for a full audit by an auditor that the policy trusts, on as many candidates',
      },
      policy?.audit &&
        (async () => {
          requireAudit(verified().digest, audits, policy.audit as NonNullable<Policy['audit']>);
          return 'within the policy';
        }),
    ],
    [
      'weights',
      {
        'bundle-invalid': 'do not use the model; tell its publisher',
        otherwise: 'build tacet again, or choose another --backend',
      },
      async () => {
        const given = known(embeddings, 'there are no embeddings');
        if (checks.some(({ passed }) => passed === false))
          throw new NotLookedAt('the model is not approved');
        await useBackend(options.backend);
        const fitted = { ...trust, embeddings: given, scheme: policy?.labelScheme };
        const { representation } = await openEncodingModel(model, fitted);
        representation.dispose();
        return 'open, with the noise that the manifest states';
      },
    ],
    [
      'ledger',
      {
        'key-invalid': 'run chmod 600 on ledger.key, so that this user alone may read it',
        'file-unwritable': 'choose a --home that this user may write to',
        'home-missing': 'give the --home that was encoded in, or a --new-home if there is none',
        'ledger-copied': 'use the home that released last; tacet home adopt makes another the one',
        'ledger-foreign': 'give the home with the ledger that the policy means',
        'history-uncertified': 'give a home that has released nothing, for notes never encoded',
        'bounds-laxer': 'give a policy as strict as the releases of the home',
        otherwise: 'restore ledger.db and ledger.key from one backup',
      },
      () => ledgerIn(home, mayMakeHome, policy, signal),
    ],
    [
      'disk',
      {
        'file-unwritable': 'choose a --home that this user may write to',
        otherwise: 'free some space, or choose another home',
      },
      () => freeSpace(home),
    ],
    [
      'pool reachable',
      { ...SERVER_ADVICE, otherwise: 'check the address of the pool' },
      pool &&
        (async () => {
          poolMs = await poolTime(pool.url, signal);
          return pool.url;
        }),
    ],
    [
      'clock',
      { otherwise: 'set the clock of this machine, for example by NTP' },
      pool && (async () => compareClocks(known(poolMs, 'the pool gave no answer'))),
    ],
    [
      'role of the token',
      {
        ...SERVER_ADVICE,
        'rate-limited': 'wait a minute and try again',
        otherwise: 'ask the pool for a token of role institution',
      },
      pool &&
        (async () => {
          known(poolMs, 'the pool gave no answer');
          return mayContribute(pool.client, signal);
        }),
    ],
  ];
  for (const [name, advice, look] of looks) {
    signal?.throwIfAborted();
    checks.push(await checkOf(name, advice, look));
  }
  return checks;
}

/** Something that an earlier check was to find out is not known. */
class NotLookedAt extends Error {}

function known<T>(value: T | undefined, whyNot: string): T {
  if (value !== undefined) return value;
  throw new NotLookedAt(whyNot);
}

async function checkOf(name: string, advice: Advice, look: Look | undefined): Promise<Check> {
  if (!look) return { name, passed: null, finding: 'not asked for', advice: '' };
  try {
    return { name, passed: true, finding: await look(), advice: '' };
  } catch (error) {
    if (error instanceof NotLookedAt)
      return { name, passed: null, finding: `not looked at: ${error.message}`, advice: '' };
    if (!(error instanceof TacetError)) throw error;
    const { code, message } = error;
    return {
      name,
      passed: false,
      finding: `${code}: ${message}`,
      advice: advice[code] ?? advice.otherwise,
    };
  }
}
