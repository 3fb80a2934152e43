import { alignDocuments, documentIds } from '../../models/evaluation/align-documents.js';
import { type Compared, compareSystems } from '../../models/evaluation/comparison.js';
import { CountColumns } from '../../models/evaluation/count-columns.js';
import { ErrorPage } from '../../models/evaluation/error-page.js';
import { type Evaluation, Tally } from '../../models/evaluation/evaluate.js';
import { HipaaView } from '../../models/evaluation/hipaa-view.js';
import { I2b2Report } from '../../models/evaluation/i2b2-report.js';
import { mapTypes } from '../../models/evaluation/map-types.js';
import { requireFree } from '../../models/text/corpus/output-file.js';
import { type ReadCorpusOptions, readCorpus } from '../../models/text/corpus/read-corpus.js';
import { readKnownCorpus } from '../../models/text/corpus/read-known-corpus.js';
import type { Document } from '../../models/text/document.js';
import { loadLabelScheme } from '../../models/text/label-scheme.js';
import { DraftFile } from '../../platform/files/draft-file.js';
import type { Context } from './context.js';
import { sayOtherFiles } from './left-out-files.js';

/** The label scheme that says which types are HIPAA identifiers, unless another is named. */
export const HIPAA_SCHEME = 'i2b2-official-hipaa';

/** Annotations of one system, or of two, against the right ones: files or directories of documents. */
export interface EvaluationRequest {
  readonly gold: string;
  readonly system: string;
  /** A second system, to test which differences are significant. */
  readonly versus?: string;
  /** Name or file of a label scheme that the types of all are mapped to. */
  readonly scheme?: string;
  readonly hipaa?: string;
  /** Whether the report of i2b2's official script is made too. */
  readonly withI2b2?: boolean;
  /** A page that shows the errors, a new file; it holds text and PHI. */
  readonly html?: string;
  /** Of intervals and of the significance test. */
  readonly seed: number;
  readonly resamples?: number;
  readonly trials?: number;
}

export interface SystemsEvaluation {
  readonly evaluation: Evaluation;
  readonly i2b2: I2b2Report | undefined;
  /** Undefined without a second system. */
  readonly compared: readonly Compared[] | undefined;
}

type Work = Pick<Context, 'signal' | 'progress' | 'say'>;

const DOCUMENTS_A_REPORT = 50;

/**
 * Scores systems against a gold standard, document by document, matched by id. Throws as `readCorpus`
 * and `alignDocuments`, and `file-exists` for a page that is there; half a page is never left.
 */
export async function evaluateSystems(
  request: EvaluationRequest,
  context: Work,
): Promise<SystemsEvaluation> {
  const hipaa = new HipaaView(loadLabelScheme(request.hipaa ?? HIPAA_SCHEME));
  const columns = new CountColumns();
  const tallies = [new Tally(hipaa, columns), new Tally(hipaa, columns)] as const;
  const i2b2 = request.withI2b2 ? new I2b2Report(hipaa) : undefined;
  for (const notes of [request.gold, request.system]) await sayOtherFiles(notes, context);
  const page = request.html === undefined ? undefined : await openPage(request.html);
  try {
    for await (const { number, gold, systems } of documents(request, context)) {
      for (const [at, system] of systems.entries()) tallies[at]?.add({ gold, system }, number);
      const pair = { gold, system: systems[0] as Document };
      i2b2?.add(pair);
      await page?.file.write(page.page.document(pair));
    }
    const [system, versus] = tallies;
    const evaluation = system.evaluation(request);
    if (page) {
      await page.file.write(page.page.tail(evaluation));
      await requireFree(page.file.path);
      await page.file.commit();
    }
    const compared =
      request.versus === undefined
        ? undefined
        : await compareSystems(system, versus, { ...request, ...context });
    return { evaluation, i2b2, compared };
  } finally {
    await page?.file.discard();
  }
}

async function openPage(path: string): Promise<{ file: DraftFile; page: ErrorPage }> {
  await requireFree(path);
  const file = await DraftFile.create(path, { isPrivate: true });
  const page = new ErrorPage();
  await file.write(page.head());
  return { file, page };
}

/** Aligned documents in the scheme; the gold standard is read twice, first for its ids. */
async function* documents(request: EvaluationRequest, { signal, progress, say }: Work) {
  const scheme = request.scheme === undefined ? undefined : loadLabelScheme(request.scheme);
  const inScheme = (document: Document) => (scheme ? mapTypes(document, scheme) : document);
  const read = (path: string, options: ReadCorpusOptions) =>
    scheme ? readKnownCorpus(path, scheme, options) : readCorpus(path, options);
  const ids = await documentIds(readCorpus(request.gold, { signal }));
  const systems = [request.system, ...(request.versus === undefined ? [] : [request.versus])];
  let extra = 0;
  let done = 0;
  const aligned = alignDocuments(
    read(request.gold, { signal }),
    systems.map((path) => read(path, { signal, overlaps: 'keep' })),
    ids,
    () => extra++,
  );
  for await (const { number, gold, systems } of aligned) {
    yield { number, gold: inScheme(gold), systems: systems.map(inScheme) };
    done++;
    if (done % DOCUMENTS_A_REPORT === 0 || done === ids.size)
      progress({ step: 'scoring', done, total: ids.size, unit: 'documents' });
  }
  if (extra > 0) say(`${extra} system documents have no gold document and are left out`);
}
