import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where converted embeddings are kept: the environment's TACET_CACHE, else `~/.cache/tacet`. */
export function defaultCacheDirectory(): string {
  return process.env.TACET_CACHE || join(homedir(), '.cache', 'tacet');
}

/** For whoever cannot write there. */
export const CACHE_ADVICE = 'choose another directory with TACET_CACHE';
