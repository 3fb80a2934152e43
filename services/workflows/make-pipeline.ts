import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createKeyFiles, readPrivateKey } from '../../models/bundle/key-files.js';
import { hasRun } from '../../models/training/run/run-directory.js';
import { writeDurably } from '../../platform/files/durable-file.js';
import { isThere } from '../../platform/files/is-there.js';
import { makeFolders } from '../../platform/files/make-folders.js';
import { TacetError } from '../../proto/errors.js';
import {
  ownPipelineFolder,
  READY_FILE,
  type ReadyFile,
} from '../institution/deidentify/ready-pipeline.js';
import type { Context } from './context.js';
import { requireNone } from './require-none.js';
import { createSignedBundle } from './signed-bundle.js';
import { trainOnCorpus } from './train/corpus-training.js';
import { TRAININGS, type Training } from './train/training-kinds.js';
import type { TrainingReport } from './train/training-run.js';

export interface PipelineRequest {
  /** Of the notes, as BCP 47 has it. */
  readonly language: string;
  readonly corpus: string;
  readonly embeddings: string;
  readonly scheme: string;
  /** A file, or the name of a configuration that Tacet comes with. */
  readonly config: string;
  readonly backend: string;
  /** Where to make it; the user's own folder for the language by default. */
  readonly out?: string | undefined;
  readonly name: string;
  readonly version: string;
}

export interface MadePipeline {
  readonly folder: string;
  readonly bundle: string;
  readonly digest: string;
  /** Whether it is used where nobody names a pipeline for the language. */
  readonly isDefault: boolean;
  readonly scores: TrainingReport['scores'];
}

const KEYS = 'keys';
const BUNDLE = 'bundle';
const WINK = 'wink';

type Work = Pick<Context, 'signal' | 'progress' | 'say'>;

/**
 * Makes a pipeline of labelled notes that is ready from then on: a de-identifier on text is trained, signed with a key
 * of its own, and used where nobody names a pipeline for the language, unless it is made elsewhere than in the user's own
 * folder. What was interrupted goes on where it stopped.
 * Throws `file-exists` where one is ready in the folder, or a bundle or keys are that it did not make, and as training does.
 */
export async function makePipeline(request: PipelineRequest, context: Work): Promise<MadePipeline> {
  const { language, embeddings, name, version } = request;
  const own = ownPipelineFolder(language);
  const folder = request.out ?? own;
  const ready = path.join(folder, READY_FILE);
  if (await isThere(ready))
    throw new TacetError(
      'file-exists',
      `${folder} holds a pipeline that is ready; move it away to make another`,
    );
  const out = path.join(folder, 'run');
  const training = TRAININGS.find(({ kind }) => kind === 'raw') as Training;
  const resume = await hasRun(out);
  if (!resume) await requireNone(folder, [BUNDLE, KEYS]);
  makeFolders(folder);
  const [run] = await trainOnCorpus({ ...request, training, out, resume }, context);
  const [files] = run?.report?.bundles ?? [];
  if (!run?.report || !files)
    throw new TacetError(
      'bundle-invalid',
      `${out}: the training left nothing to sign, ${run?.report?.unbundled}`,
    );
  const keys = path.join(folder, KEYS);
  const key = await signingKey(keys);
  const bundle = path.join(folder, BUNDLE);
  // Of an earlier call that ended before the pipeline was ready.
  await rm(bundle, { recursive: true, force: true });
  const digest = await createSignedBundle(bundle, files, { keys: [key] });
  const stated: ReadyFile = {
    format: 'tacet-ready-pipeline-1',
    bundle: BUNDLE,
    publisher: path.join(KEYS, 'public.pem'),
    embeddings: embeddings === WINK ? WINK : path.resolve(embeddings),
  };
  await writeDurably(ready, `${JSON.stringify(stated, null, 2)}\n`);
  context.say(`${name} ${version} is made for notes in ${language}`);
  const isDefault = path.resolve(folder) === path.resolve(own);
  return { folder, bundle, digest, isDefault, scores: run.report.scores };
}

async function signingKey(folder: string) {
  const file = path.join(folder, 'private.pem');
  if (!(await isThere(file))) await createKeyFiles(folder);
  return readPrivateKey(file);
}
