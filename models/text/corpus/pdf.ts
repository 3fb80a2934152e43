import { TaskThread } from '../../../platform/threads/task-thread.js';
import { TacetError } from '../../../proto/errors.js';
import type { PdfInput } from './pdf-tasks.js';
import type { RawDocument } from './raw-document.js';

const TASKS = new URL('./pdf-tasks.js', import.meta.url);
/** A thousand pages of text take seconds. */
const LONGEST_MS = 60_000;

/**
 * A PDF as a document without annotations, its text as `pdfText` gives it. It is read on a thread of its own,
 * which a damaged file may end: pdf.js throws where nobody can catch it. Throws `corpus-invalid`.
 */
export async function parsePdf(
  bytes: Uint8Array,
  id: string,
  origin: string,
): Promise<RawDocument> {
  const invalid = (problem: string) => new TacetError('corpus-invalid', `${origin}: ${problem}`);
  const thread = new TaskThread(TASKS);
  const tooLong = invalid(`takes longer than ${LONGEST_MS / 1000} s to read; split it`);
  const limit = setTimeout(() => void thread.stop(tooLong), LONGEST_MS);
  try {
    const input: PdfInput = { bytes, origin };
    const text = (await thread.run('text', input)) as string;
    return { id, text, spans: [], isPlain: true, origin };
  } catch (error) {
    if (error instanceof TacetError && error.code === 'internal')
      throw invalid('the PDF is damaged; expected a sound PDF 1.0 to 2.0');
    throw error;
  } finally {
    clearTimeout(limit);
    await thread.stop();
  }
}
