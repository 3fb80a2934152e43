import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isThere } from '../../../platform/files/is-there.js';
import { readJsonFile } from '../../../platform/files/json-file.js';
import { dataFolder } from '../../../platform/user-folders.js';
import { TacetError } from '../../../proto/errors.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject, constant, type TypeOf } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';

/** What is in the folder of a pipeline that is ready, its own or one that Tacet comes with. */
export interface ReadyPipeline {
  /** Folder of the bundle. */
  readonly bundle: string;
  /** File of the public key that must have signed it. */
  readonly publisher: string;
  /** File of the word vectors, or `wink`. */
  readonly embeddings: string;
}

/** Says what lies in the folder of a ready pipeline. */
export const READY_FILE = 'pipeline.json';

const READY = closedObject({
  format: constant('tacet-ready-pipeline-1'),
  /** Relative to the folder. */
  bundle: Type.String(),
  publisher: Type.String(),
  /** `wink`, or an absolute path. */
  embeddings: Type.String(),
});
export type ReadyFile = TypeOf<typeof READY>;

const check = validator(READY, 'config-invalid', READY_FILE);

/** Those that Tacet comes with. */
const SHIPPED = fileURLToPath(new URL('../../../../pipelines', import.meta.url));

/** Where the user's own pipeline for notes of a language lies. */
export function ownPipelineFolder(language: string): string {
  return path.join(dataFolder(), 'pipelines', language);
}

/**
 * The pipeline for notes of a language: the user's own where there is one, else the one that Tacet comes
 * with; for `en-GB` that of `en` where it has none of its own. Throws `pipeline-missing` where there is none.
 */
export async function readyPipeline(language: string): Promise<ReadyPipeline> {
  const [base = language] = language.split('-');
  const folders = [...new Set([language, base])].flatMap((tag) => [
    ownPipelineFolder(tag),
    path.join(SHIPPED, tag),
  ]);
  for (const folder of folders)
    if (await isThere(path.join(folder, READY_FILE))) return openReadyPipeline(folder);
  throw new TacetError(
    'pipeline-missing',
    `no pipeline is ready for notes in '${language}'; make one of labelled notes with ` +
      `tacet pipeline make ${language} NOTES --scheme NAME --embeddings FILE, or name one with --model`,
  );
}

/** What the folder of a ready pipeline holds. Throws `file-not-found` and `config-invalid`. */
export async function openReadyPipeline(folder: string): Promise<ReadyPipeline> {
  const stated = { what: 'pipeline', code: 'config-invalid' } as const;
  const file = await readJsonFile(path.join(folder, READY_FILE), stated);
  const { bundle, publisher, embeddings } = check(file);
  return { bundle: path.join(folder, bundle), publisher: path.join(folder, publisher), embeddings };
}
