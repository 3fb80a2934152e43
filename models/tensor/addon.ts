import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TacetError } from '../../proto/errors.js';
import type { NativeFunctions } from './native-functions.js';

/** As built from these sources or from older ones. */
type Addon = Partial<NativeFunctions>;

const ADDON = join('build', 'Release', 'tacet.node');
/** Where a published package has it; what was built there goes before it. */
const PREBUILT = join('prebuilds', `${process.platform}-${process.arch}`, 'tacet.node');

let loaded: Addon | undefined;

/** The directory of the nearest package.json at or above this module, as source and as built. */
function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json')) && dirname(directory) !== directory) {
    directory = dirname(directory);
  }
  return directory;
}

function load(): Addon {
  const root = packageRoot();
  const path =
    [ADDON, PREBUILT].map((file) => join(root, file)).find(existsSync) ?? join(root, ADDON);
  try {
    const functions: Readonly<Record<string, Untyped>> = createRequire(import.meta.url)(path);
    return Object.fromEntries(
      Object.entries(functions).map(([name, run]) => [name, refusing(run)]),
    ) as Addon;
  } catch (cause) {
    throw new TacetError(
      'addon-missing',
      `the native addon ${ADDON} ${trouble(path, cause as Error)}, or set TACET_BACKEND=cpu`,
      { cause },
    );
  }
}

type Untyped = (...values: unknown[]) => unknown;

/** What native code throws, as the error of the project. */
function refusing(run: Untyped): Untyped {
  return (...values) => {
    try {
      return run(...values);
    } catch (cause) {
      const { code, message } = cause as Error & { readonly code?: string };
      if (code !== 'ENOMEM') throw new TacetError('tensor-invalid', message, { cause });
      throw new TacetError(
        'memory-full',
        `${message}: there is no memory left; free some, or use smaller batches or shorter sentences`,
        { cause },
      );
    }
  };
}

/** Why the addon does not load, and what helps; `make build` leaves a file alone that is there. */
function trouble(path: string, { message }: Error): string {
  if (!existsSync(path)) return 'is not built: build it with `make build`';
  return `cannot be loaded (${message.split('\n')[0]}): build it again with \`rm -r build && make build\``;
}

/** Whether the native addon is built and loads on this machine. */
export function hasAddon(): boolean {
  try {
    loaded ??= load();
    return true;
  } catch {
    return false;
  }
}

/**
 * The function that a source file of models/tensor/native registered under `name`. It throws
 * `tensor-invalid`, naming itself and the argument or field, where one has the wrong type or length, and `memory-full`.
 *
 * Throws `addon-missing` when the addon is not built, or was built from older sources.
 */
export function nativeFunction<Name extends keyof NativeFunctions>(
  name: Name,
): NativeFunctions[Name] {
  loaded ??= load();
  const found: Addon[Name] = loaded[name];
  if (found === undefined) {
    throw new TacetError(
      'addon-missing',
      `the native addon ${ADDON} has no function ${name}: build it again with \`make build\``,
    );
  }
  return found;
}
