import { readdirSync, readFileSync } from 'node:fs';

const DIRECTORY = new URL('./configurations/', import.meta.url);

/** The configurations that Tacet comes with: the rows and curves of the paper, and ours beside them. */
export function configurationNames(): string[] {
  return readdirSync(DIRECTORY)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort(new Intl.Collator('en', { numeric: true }).compare);
}

/** The text of one of them; null where there is none of that name. */
export function namedConfiguration(name: string): string | null {
  if (!configurationNames().includes(name)) return null;
  return readFileSync(new URL(`${name}.json`, DIRECTORY), 'utf8');
}
