import { readFileSync } from 'node:fs';
import { TacetError } from '../../proto/errors.js';
import { jsonIn } from '../../proto/json-text.js';
import { SERVE_SETTINGS, type ServeConfig, type Setting, variableOf } from './serve-settings.js';

export type Origin = 'flag' | 'environment' | 'file' | 'default';

export interface ResolvedConfig {
  readonly config: ServeConfig;
  /** Where each setting that has a value came from. */
  readonly origins: Readonly<Partial<Record<keyof ServeConfig, Origin>>>;
}

interface Sources {
  /** As commander read them; a setting that was not given is undefined. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly environment: NodeJS.ProcessEnv;
}

type Name = keyof ServeConfig;
const NAMES = Object.keys(SERVE_SETTINGS) as Name[];
const PREFIX = 'TACET_SERVE_';
const CONFIG_VARIABLE = `${PREFIX}CONFIG`;

/**
 * The configuration of a server: a flag goes before the environment, the environment before the
 * file that `--config` or TACET_SERVE_CONFIG names, the file before the defaults. Throws
 * `config-invalid`, which names the setting and where it was found, or `file-not-found`.
 *
 * Commander could read the environment, but to it a variable that says `false` turns its switch on, and a
 * wrong variable is a wrong command line.
 */
export function resolveServeConfig({ flags, environment }: Sources): ResolvedConfig {
  requireKnownVariables(environment);
  const path = flags.config ?? environment[CONFIG_VARIABLE];
  const file = typeof path === 'string' ? readFile(path) : {};
  const values: Partial<Record<Name, unknown>> = {};
  const origins: Partial<Record<Name, Origin>> = {};
  for (const name of NAMES) {
    const setting = SERVE_SETTINGS[name];
    const variable = variableOf(name);
    const candidates: [Origin, unknown, string][] = [
      ['flag', flags[name], `--${name}`],
      ['environment', fromText(environment[variable], setting), variable],
      ['file', file[name], `${String(path)}: ${name}`],
      ['default', setting.default, name],
    ];
    const found = candidates.find(([, value]) => value !== undefined);
    if (!found) continue;
    const [origin, value, where] = found;
    requireValid(value, setting, where);
    values[name] = value;
    origins[name] = origin;
  }
  return { config: requireWhole(values), origins };
}

function requireWhole(values: Partial<Record<Name, unknown>>): ServeConfig {
  if (values.data === undefined) {
    throw new TacetError('usage', 'name the directory where everything is kept: --data');
  }
  if ((values.tlsCertificate === undefined) !== (values.tlsKey === undefined)) {
    throw new TacetError('config-invalid', 'tlsCertificate and tlsKey go together');
  }
  return values as unknown as ServeConfig;
}

function readFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new TacetError('file-not-found', `${path}: no such configuration`, { cause });
  }
  const value = parse(text, path);
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(SERVE_SETTINGS, key));
  if (unknown === undefined) return value;
  throw new TacetError('config-invalid', `${path}: there is no setting ${JSON.stringify(unknown)}`);
}

function parse(text: string, path: string): Record<string, unknown> {
  const value = jsonIn(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new TacetError('config-invalid', `${path}: expected a JSON object of settings`);
}

/** A misspelt variable would silently leave a limit at its default. */
function requireKnownVariables(environment: NodeJS.ProcessEnv): void {
  const known = new Set([CONFIG_VARIABLE, ...NAMES.map(variableOf)]);
  const unknown = Object.keys(environment).find((key) => key.startsWith(PREFIX) && !known.has(key));
  if (unknown === undefined) return;
  throw new TacetError('config-invalid', `${unknown}: there is no such setting`);
}

function fromText(text: string | undefined, { type }: Setting): unknown {
  if (text === undefined || type === 'text') return text;
  if (type === 'number') return /^\d{1,16}$/.test(text) ? Number(text) : text;
  return text === 'true' ? true : text === 'false' ? false : text;
}

function requireValid(value: unknown, setting: Setting, where: string): void {
  const { type, least = 0, most = Number.MAX_SAFE_INTEGER, choices } = setting;
  const is =
    type === 'number'
      ? Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
      : type === 'switch'
        ? typeof value === 'boolean'
        : typeof value === 'string' && value !== '' && (choices?.includes(value) ?? true);
  if (is) return;
  const expected =
    type === 'number'
      ? `a whole number from ${least} to ${most}`
      : type === 'switch'
        ? 'true or false'
        : (choices?.join(', ') ?? 'a text');
  throw new TacetError('config-invalid', `${where}: expected ${expected}`);
}
