import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { SurrogateLocale } from '../../models/surrogates/surrogate-language.js';
import { NAMED_ENTITY } from '../../models/text/corpus/annotation-layers.js';
import { corpusFiles, type OnUnreadable } from '../../models/text/corpus/corpus-files.js';
import { TYPE_SYSTEM_FILE } from '../../models/text/corpus/format-cas.js';
import type { LayeredFile } from '../../models/text/corpus/layers/layered-file.js';
import { type LayeredFormat, readLayers } from '../../models/text/corpus/layers/read-layers.js';
import { TextChange } from '../../models/text/corpus/layers/text-change.js';
import { makeFolder, writeNew } from '../../models/text/corpus/output-file.js';
import { readText } from '../../models/text/corpus/read-bytes.js';
import { readFailure } from '../../platform/system-error.js';
import { TacetError } from '../../proto/errors.js';
import type { DeidentifyOptions } from '../institution/deidentify/deidentify.js';
import type { PatternChoice } from '../institution/deidentify/recognisers/recognisers.js';
import { formatLeftOut, type LeftOut } from '../institution/deidentify/records/left-out.js';
import { editsOf } from '../institution/deidentify/records/text-edits.js';
import type { Treatment } from '../institution/deidentify/treatment.js';
import { type ApprovedPipeline, type PipelineChoice, withPipeline } from './approved-pipeline.js';
import type { Context } from './context.js';
import { sayOtherFiles } from './left-out-files.js';

/** Files of an annotation tool to take PHI out of, with what, and where to. */
export interface LayerJob extends PipelineChoice {
  /** A file, or a directory that is searched. */
  readonly input: string;
  /** A new directory, or one in which no file is in the way. */
  readonly output: string;
  readonly format: LayeredFormat;
  readonly treatment: Treatment;
  readonly language?: SurrogateLocale | undefined;
  readonly patterns: PatternChoice;
  /** Leaves out files that cannot be read. */
  readonly skipBad?: boolean | undefined;
}

export interface LayerReport {
  readonly files: number;
  readonly documents: number;
  readonly spans: number;
  /** Strings and structures beside the texts that were taken out because they may hold PHI. */
  readonly removed: number;
  readonly bad: number;
  /** The files that are counted so. */
  readonly leftOut: readonly LeftOut[];
  readonly threshold: number | null;
  readonly output: string;
}

type Work = Pick<Context, 'signal' | 'progress' | 'say'>;

/**
 * Takes PHI out of files of an annotation tool with a published pipeline, file by file under the same names, and
 * leaves their other layers where they are: unchanged under `annotate`, else moved with the text. Throws as
 * `withPipeline` and `readLayers`, and `corpus-invalid` where there is no file of the format.
 */
export async function deidentifyLayers(job: LayerJob, context: Work): Promise<LayerReport> {
  return withPipeline(job, context, async (pipeline) => {
    const counts = { files: 0, documents: 0, spans: 0, removed: 0, bad: 0 };
    const leftOut: LeftOut[] = [];
    const leaveOut = (file: string, { code }: TacetError) => {
      counts.bad++;
      leftOut.push({ file, code });
    };
    for (const { from, name } of await filesOf(job, leaveOut)) {
      context.signal.throwIfAborted();
      try {
        const treatment = job.treatment === 'annotate' ? 'annotate' : 'replace';
        const file = readLayers(await readText(from), job.format, from, treatment);
        const spans = await changeAll(file, job, pipeline, context);
        await write(path.join(job.output, name), file.format());
        counts.files++;
        counts.documents += file.documents.length;
        counts.spans += spans;
        counts.removed += file.removed;
        const done = counts.documents;
        context.progress({ step: 'de-identify', done, unit: 'documents' });
      } catch (error) {
        if (!job.skipBad || !isBadFile(error)) throw error;
        leaveOut(name, error);
      }
    }
    await sayOtherFiles(job.input, context);
    for (const each of leftOut) context.say(`left out ${formatLeftOut(each)}`);
    if (counts.removed > 0)
      context.say(`took out ${counts.removed} strings and structures that may hold PHI`);
    if (job.format === 'xmi' && counts.files > 0)
      context.say(
        `XMI needs its types beside it: copy ${TYPE_SYSTEM_FILE} to ${job.output}; what was found is of ${NAMED_ENTITY}`,
      );
    return { ...counts, leftOut, threshold: pipeline.threshold ?? null, output: job.output };
  });
}

/** Whether an error is of what is read, so that other files can be gone on with. */
function isBadFile(error: unknown): error is TacetError {
  return (
    error instanceof TacetError &&
    ['corpus-invalid', 'file-unreadable', 'file-not-found'].includes(error.code)
  );
}

async function filesOf(
  { input, format, skipBad }: LayerJob,
  leaveOut: (name: string, error: TacetError) => void,
): Promise<{ from: string; name: string }[]> {
  let found = false;
  const files: { from: string; name: string }[] = [];
  const isFolder = await stat(input).then(
    (stats) => stats.isDirectory(),
    (error) => {
      throw readFailure(error, input);
    },
  );
  const nameOf = (from: string) => (isFolder ? path.relative(input, from) : path.basename(from));
  const onUnreadable: OnUnreadable = (error, from) => {
    found = true;
    leaveOut(nameOf(from), error);
  };
  for await (const { path: from } of corpusFiles(input, format, skipBad ? onUnreadable : undefined))
    files.push({ from, name: nameOf(from) });
  if (found || files.length > 0) return files;
  throw new TacetError('corpus-invalid', `${input}: there are no ${format} files`);
}

async function changeAll(
  file: LayeredFile,
  { treatment, language, patterns }: LayerJob,
  { models, threshold }: ApprovedPipeline,
  { signal }: Work,
): Promise<number> {
  const how: Omit<DeidentifyOptions, 'signal'> = { treatment, language, patterns, threshold };
  let spans = 0;
  for (const layered of file.documents) {
    const document = { id: 'text', text: layered.text, spans: [] };
    const replaced = await models.call('deidentify', { document, how }, { signal });
    const types = replaced.found.map(({ type }) => type);
    const replacements = editsOf(replaced).map((edit, index) => ({
      ...edit,
      type: types[index] as string,
    }));
    layered.change(new TextChange(layered.text, replacements));
    spans += replacements.length;
  }
  return spans;
}

async function write(to: string, content: string): Promise<void> {
  await makeFolder(path.dirname(to));
  await writeNew(to, content);
}
