import { DEFAULT_CACHE_BYTES } from '../../pool-store/blobs/cached-blobs.js';
import { PROXY_HEADERS } from '../http/client-address.js';
import { LIMITS, type Limits } from '../http/limits.js';
import { LOG_LEVELS } from './server-log.js';

/** One setting of `tacet serve`: `--quota-bytes`, `TACET_SERVE_QUOTA_BYTES`, `quotaBytes` in a file. */
export interface Setting {
  readonly type: 'text' | 'number' | 'switch';
  readonly description: string;
  readonly default?: string | number | boolean;
  readonly least?: number;
  readonly most?: number;
  readonly choices?: readonly string[];
  /** Whether a server has to be told. */
  readonly isRequired?: true;
}

const text = { type: 'text' } as const;
const port = { type: 'number', least: 0, most: 65_535 } as const;
const off = { type: 'switch', default: false } as const;
const count = { type: 'number', least: 1, most: Number.MAX_SAFE_INTEGER } as const;

interface LimitSetting extends Setting {
  readonly type: 'number';
  readonly default: number;
}

const limits = Object.fromEntries<LimitSetting>(
  Object.entries(LIMITS).map(([name, limit]) => [name, { ...count, ...limit }]),
) as { readonly [Name in keyof Limits]: LimitSetting };

/** Every setting; flags, variables, the configuration's type and its check are all made from this. */
const SETTINGS = {
  data: { ...text, isRequired: true, description: 'directory where everything is kept' },
  catalog: {
    ...text,
    description:
      'postgres://user@host:port/database that keeps the records; by default a file in the data directory does',
  },
  catalogPasswordFile: {
    ...text,
    description:
      'file of the password there, which no other user may read; else PGPASSWORD is taken',
  },
  blobs: {
    ...text,
    description:
      'where uploaded bytes are kept, disk or s3://BUCKET/PREFIX?endpoint=URL&region=NAME&credentials=FILE; where they were before, if not given',
  },
  logKey: {
    ...text,
    description:
      'file of the private key (PEM, Ed25519) that signs the heads of the log, which no other user may read: one for all servers of a catalog; by default one in the data directory',
  },
  cacheBytes: {
    ...count,
    description: 'bytes of the disk for copies of segments that are read from a bucket',
    default: DEFAULT_CACHE_BYTES,
  },
  registry: { ...off, description: 'run a registry; both where neither is named' },
  pool: { ...off, description: 'run a pool; both where neither is named' },
  host: { ...text, description: 'address to bind', default: '127.0.0.1' },
  port: {
    ...port,
    description: 'port, 0 for any; a pool beside a registry takes the next',
    default: 7420,
  },
  registryPort: { ...port, description: 'port of the registry' },
  poolPort: { ...port, description: 'port of the pool' },
  tlsCertificate: { ...text, description: 'file of the certificate chain (PEM), for https' },
  tlsKey: { ...text, description: 'file of its private key (PEM)' },
  trustedProxies: {
    ...text,
    description:
      'addresses and networks of the proxies in front, by commas: they alone say who their client is',
  },
  proxyHeader: {
    ...text,
    description: 'header that those proxies write the address of their client into',
    choices: PROXY_HEADERS,
    default: 'x-forwarded-for',
  },
  openidIssuer: {
    ...text,
    description: 'address of the OpenID provider whose accounts log in to the pages',
  },
  openidClient: { ...text, description: 'id of this service at that provider' },
  openidSecret: { ...text, description: 'file of its secret there, which no other user may read' },
  openidRoles: {
    ...text,
    description:
      'which value of the role claim gives which role, such as admin=tacet-admins,auditor=audit',
  },
  openidRoleClaim: { ...text, description: 'claim that holds those values', default: 'roles' },
  openidNameClaim: {
    ...text,
    description:
      'claim that names the holder, for an institution the institution: one that people cannot choose themselves; preferred_username by default where no role gives anything under its name',
  },
  logLevel: {
    ...text,
    description: 'least level of the log on standard error',
    choices: LOG_LEVELS,
    default: 'info',
  },
  replacedOnly: {
    ...off,
    description: 'the pool takes contributions only whose labelled entities were replaced',
  },
  keptTypes: {
    ...text,
    description:
      'with replaced-only, types whose entities contributions may keep all the same, by commas; none by default',
  },
  knownModels: {
    ...off,
    description: 'the pool takes contributions only of models that a registry on its records knows',
  },
  ...limits,
} as const;

type Settings = typeof SETTINGS;
type Name = keyof Settings;
type ValueOf<S> = S extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : S extends { readonly type: 'number' }
    ? number
    : S extends { readonly type: 'switch' }
      ? boolean
      : string;
type Certain = {
  [N in Name]: Settings[N] extends { default: unknown } | { isRequired: true } ? N : never;
}[Name];

export type ServeConfig = { readonly [N in Certain]: ValueOf<Settings[N]> } & {
  readonly [N in Exclude<Name, Certain>]?: ValueOf<Settings[N]>;
};

export const SERVE_SETTINGS: Readonly<Record<Name, Setting>> = SETTINGS;

export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function variableOf(name: string): string {
  return `TACET_SERVE_${flagOf(name).replaceAll('-', '_').toUpperCase()}`;
}
