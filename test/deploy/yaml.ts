import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { ROOT } from '../shared-data.js';

export const DEPLOY = join(ROOT, 'deploy');

/** The documents of a YAML or JSON file below `deploy`. */
export function documentsOf<T>(file: string): T[] {
  return readFileSync(join(DEPLOY, file), 'utf8')
    .split(/^---$/m)
    .map((text) => parseYaml(text) as T);
}
