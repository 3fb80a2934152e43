import { TacetError } from '../../proto/errors.js';
import type { Named } from '../workflows/train/named.js';

/** What `--option NAME=VALUE ...` states. Names are parts of files' names. Throws `usage`. */
export function namedBy(option: string, stated: readonly string[]): Named<string> {
  return stated.map((each) => {
    const [, name, value] = /^([\p{L}\p{N}._-]+)=(.+)$/u.exec(each) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    throw new TacetError(
      'usage',
      `${option} ${each}: expected NAME=VALUE, the name of letters, digits, dots, hyphens and underscores`,
    );
  });
}
