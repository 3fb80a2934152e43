import { mkdir, statfs } from 'node:fs/promises';
import { type Trust, type VerifiedFiles, verifyBundle } from '../../models/bundle/verify.js';
import { openEmbeddings } from '../../models/embeddings/open.js';
import type { Progress } from '../../models/progress.js';
import { TacetError } from '../../proto/errors.js';
import type { ServiceClient } from '../http/client.js';
import { requireTokenisation } from './fitted-bundle.js';
import { Ledger } from './ledger.js';
import { approveModel } from './model-approval.js';
import type { Policy } from './policy.js';
import { requireAudit } from './required-audit.js';

export interface PreflightOptions {
  readonly model: string;
  readonly trust: Trust;
  readonly policy?: Policy | undefined;
  readonly embeddings: string;
  readonly home: string;
  readonly registry?: ServiceClient | undefined;
  readonly pool?: { readonly url: string; readonly client: ServiceClient } | undefined;
  readonly audits: readonly unknown[];
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

const LEAST_FREE_BYTES = 2 ** 30;
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** Looks at everything that a job needs, and goes on after a failure. */
export async function preflight(options: PreflightOptions): Promise<Check[]> {
  const { model, trust, policy, registry, pool, home, signal } = options;
  const requireRevocationCheck = policy?.requireRevocationCheck ?? false;
  let bundle: VerifiedFiles | undefined;
  const opened = () => {
    if (bundle) return bundle;
    throw new TacetError('bundle-invalid', 'the bundle did not verify');
  };
  let audits = options.audits;
  const looks: readonly (readonly [string, string, Look | undefined])[] = [
    [
      'model and signature',
      'fetch the model again with tacet model fetch; check which publisher keys you trust',
      async () => {
        bundle = await verifyBundle(model, trust);
        return `${bundle.manifest.name} ${bundle.manifest.version}, digest ${bundle.digest}`;
      },
    ],
    [
      'tokenisation',
      'use the version of tacet that the model was made with, or a newer model',
      async () => {
        const { tokenisation } = opened().manifest;
        requireTokenisation(model, tokenisation);
        return tokenisation;
      },
    ],
    [
      'embeddings',
      "get the embeddings file that the model's card names",
      async () => {
        const { identity } = await openEmbeddings(options.embeddings, options);
        return same(opened().manifest.embeddings.identity, identity);
      },
    ],
    [
      'registry and revocation',
      'check the address and the token; where the model was revoked, fetch another',
      registry || requireRevocationCheck
        ? async () => {
            const { digest, manifest } = opened();
            const grounds = { registry, policy: { requireRevocationCheck } };
            const status = await approveModel({ ...manifest, digest }, grounds, signal);
            audits = [...audits, ...(status?.audits ?? [])];
            return [status?.status, status?.reason].filter(Boolean).join(': ');
          }
        : undefined,
    ],
    [
      'audit',
      'ask the publisher for a full audit by an auditor that the policy trusts, on as many candidates',
      policy?.audit &&
        (async () => {
          requireAudit(opened().digest, audits, policy.audit as NonNullable<Policy['audit']>);
          return 'within the policy';
        }),
    ],
    [
      'ledger',
      'restore ledger.db and ledger.key from one backup',
      async () => {
        const ledger = await Ledger.open(home, signal);
        const certified = ledger.isCertified();
        ledger.close();
        if (certified || policy?.certifiedLimit === undefined) return 'opens';
        throw new TacetError('release-refused', 'it holds releases that were never certified');
      },
    ],
    ['disk', 'free some space, or choose another home', () => freeSpace(home)],
    [
      'clock',
      'set the clock of this machine, for example by NTP',
      pool && (() => clock(pool.url, signal)),
    ],
    [
      'pool and role of the token',
      'check the address; ask the pool for a token of role institution',
      pool && (async () => mayContribute(pool.client, signal)),
    ],
  ];
  const checks: Check[] = [];
  for (const [name, advice, look] of looks) {
    signal?.throwIfAborted();
    checks.push(await checkOf(name, advice, look));
  }
  return checks;
}

async function checkOf(name: string, advice: string, look: Look | undefined): Promise<Check> {
  if (!look) return { name, passed: null, finding: 'not asked for', advice: '' };
  try {
    return { name, passed: true, finding: await look(), advice: '' };
  } catch (error) {
    if (!(error instanceof TacetError)) throw error;
    return { name, passed: false, finding: `${error.code}: ${error.message}`, advice };
  }
}

function same(wanted: string, found: string): string {
  if (wanted === found) return found;
  throw new TacetError('model-unsuitable', `the model was made with ${wanted}, here is ${found}`);
}

async function freeSpace(home: string): Promise<string> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(home);
  const free = bavail * bsize;
  const text = `${(free / 2 ** 30).toFixed(1)} GiB free`;
  if (free >= LEAST_FREE_BYTES) return text;
  throw new TacetError('store-full', `${home}: ${text}, expected 1 GiB at least`);
}

/** The pool looks at the role before it looks at the body, which is no contribution. */
async function mayContribute(
  pool: ServiceClient,
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    await pool.json('POST', '/v1/contributions', {}, { signal });
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== 'request-invalid' && code !== 'contribution-invalid') throw error;
  }
  return 'the token may contribute';
}

async function clock(url: string, signal: AbortSignal | undefined): Promise<string> {
  const response = await fetch(`${url.replace(/\/+$/, '')}/livez`, {
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    throw new TacetError('server-unreachable', `no answer from ${url}`, { cause });
  });
  const theirs = Date.parse(response.headers.get('date') ?? '');
  const differenceMs = Math.abs(Date.now() - theirs);
  if (differenceMs <= MAX_CLOCK_DIFFERENCE_MS) return 'agrees with the pool within a minute';
  throw new TacetError(
    'request-invalid',
    Number.isNaN(differenceMs)
      ? 'the pool did not state its time'
      : `${Math.round(differenceMs / 1000)} seconds away from the pool's`,
  );
}
