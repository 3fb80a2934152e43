import { readFileSync } from 'node:fs';

/** The content of a file of `models/synthetic/data`, which the tests hold to its type. */
export function readData<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./data/${name}.json`, import.meta.url), 'utf8')) as T;
}
