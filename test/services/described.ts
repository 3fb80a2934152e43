import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../shared-data.js';

export const SERVICES = ['registry', 'pool', 'encoder', 'coordinator'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** As far as the tests read an OpenAPI document. */
export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

const FOLDER = join(ROOT, 'docs/openapi');

/** What a running server says of itself. */
export async function describedBy(url: string): Promise<Described> {
  const response = await fetch(`${url}/openapi.json`);
  return (await response.json()) as Described;
}

/** The document that the repository keeps of a service; with `TACET_OPENAPI=write` it becomes `now`. */
export function keptDocument(name: ServiceName, now?: Described): Described {
  const file = join(FOLDER, `${name}.json`);
  if (now && process.env.TACET_OPENAPI === 'write') {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Described;
}
