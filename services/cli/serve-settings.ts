import { PROXY_HEADERS, type ProxyHeader } from '../http/client-address.js';
import { DEFAULT_LIMITS } from '../http/limits.js';

/** One setting of `tacet serve`: `--quota-bytes`, `TACET_SERVE_QUOTA_BYTES`, `quotaBytes` in a file. */
export interface Setting {
  readonly type: 'text' | 'number' | 'switch';
  readonly description: string;
  readonly default?: string | number | boolean;
  readonly least?: number;
  readonly most?: number;
  readonly choices?: readonly string[];
}

export interface ServeConfig {
  readonly data: string;
  readonly registry: boolean;
  readonly pool: boolean;
  readonly host: string;
  readonly port: number;
  readonly registryPort?: number;
  readonly poolPort?: number;
  readonly tlsCertificate?: string;
  readonly tlsKey?: string;
  readonly trustedProxies?: string;
  readonly proxyHeader: ProxyHeader;
  readonly logLevel: string;
  readonly quotaBytes: number;
  readonly openUploads: number;
  readonly requestsPerMinute: number;
  readonly requestSeconds: number;
  readonly idleSeconds: number;
  readonly connections: number;
  readonly readings: number;
  readonly reserveBytes: number;
  readonly uploadHours: number;
  readonly blobHours: number;
}

const port = { type: 'number', least: 0, most: 65_535 } as const;
const count = { type: 'number', least: 1, most: Number.MAX_SAFE_INTEGER } as const;
const limit = (name: keyof typeof DEFAULT_LIMITS, description: string): Setting => ({
  ...count,
  description,
  default: DEFAULT_LIMITS[name],
});

export const SERVE_SETTINGS: Readonly<Record<keyof ServeConfig, Setting>> = {
  data: { type: 'text', description: 'directory where everything is kept' },
  registry: {
    type: 'switch',
    description: 'run a registry; both where neither is named',
    default: false,
  },
  pool: { type: 'switch', description: 'run a pool; both where neither is named', default: false },
  host: { type: 'text', description: 'address to bind', default: '127.0.0.1' },
  port: {
    ...port,
    description: 'port, 0 for any; a pool beside a registry takes the next',
    default: 7420,
  },
  registryPort: { ...port, description: 'port of the registry' },
  poolPort: { ...port, description: 'port of the pool' },
  tlsCertificate: { type: 'text', description: 'file of the certificate chain (PEM), for https' },
  tlsKey: { type: 'text', description: 'file of its private key (PEM)' },
  trustedProxies: {
    type: 'text',
    description:
      'addresses and networks of the proxies in front, by commas: they alone say who their client is',
  },
  proxyHeader: {
    type: 'text',
    description: 'header that those proxies write the address of their client into',
    choices: PROXY_HEADERS,
    default: 'x-forwarded-for',
  },
  logLevel: {
    type: 'text',
    description: 'least level of the log on standard error',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
  },
  quotaBytes: limit('quotaBytes', 'bytes that one institution or provider may have stored'),
  openUploads: limit('openUploads', 'uploads that one token may have unfinished'),
  requestsPerMinute: limit('requestsPerMinute', 'requests that one token may send'),
  requestSeconds: limit('requestSeconds', 'longest time for a request to arrive'),
  idleSeconds: limit('idleSeconds', 'a connection without traffic is closed after this'),
  connections: limit('connections', 'connections at a time'),
  readings: limit('readings', 'snapshots that are read at a time, each in some 20 MB'),
  reserveBytes: limit('reserveBytes', 'bytes of the disk that uploads leave free'),
  uploadHours: limit('uploadHours', 'an unfinished upload is dropped after this'),
  blobHours: limit('blobHours', 'an uploaded file that nothing uses is dropped after this'),
};

export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function variableOf(name: string): string {
  return `TACET_SERVE_${flagOf(name).replaceAll('-', '_').toUpperCase()}`;
}
