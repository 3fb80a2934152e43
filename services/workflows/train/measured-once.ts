import { writeAtomically } from '../../../platform/files/draft-file.js';
import { readJsonFile } from '../../../platform/files/json-file.js';
import { sha256Hex } from '../../../proto/digest.js';
import { TacetError } from '../../../proto/errors.js';

/** All that a result depends on, by names that a reader of a refusal knows. */
export type Settings = Readonly<Record<string, unknown>>;

interface Kept {
  /** SHA-256 in hex of each setting, by its name: nothing of notes or paths is kept. */
  readonly settings: Readonly<Record<string, string>>;
  readonly result: unknown;
}

/**
 * A result that `file` keeps: read where it is there, else measured and written. Throws `config-invalid` where it was
 * measured with other settings, whose names it says.
 */
export async function onceMeasured<T>(
  file: string,
  settings: Settings,
  measure: () => Promise<T>,
): Promise<T> {
  const digests = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      sha256Hex(JSON.stringify(value ?? null)),
    ]),
  );
  const kept = await earlier(file);
  if (kept !== undefined) {
    requireSame(file, kept, digests);
    return kept.result as T;
  }
  const result = await measure();
  const whole: Kept = { settings: digests, result };
  await writeAtomically(file, [Buffer.from(`${JSON.stringify(whole, null, 1)}\n`)]);
  return result;
}

function requireSame(file: string, kept: Partial<Kept>, settings: Kept['settings']): void {
  const names = new Set([...Object.keys(kept.settings ?? {}), ...Object.keys(settings)]);
  const others = [...names].filter((name) => kept.settings?.[name] !== settings[name]);
  if (others.length === 0 && 'result' in kept) return;
  const what = others.length === 0 ? 'settings' : others.join(', ');
  throw new TacetError(
    'config-invalid',
    `${file}: measured with other ${what}; name another --out, or remove it to measure again`,
  );
}

async function earlier(file: string): Promise<Partial<Kept> | undefined> {
  const stated = { what: 'result', code: 'config-invalid' } as const;
  try {
    return (await readJsonFile(file, stated)) as Partial<Kept>;
  } catch (error) {
    if (error instanceof TacetError && error.code === 'file-not-found') return undefined;
    throw error;
  }
}
