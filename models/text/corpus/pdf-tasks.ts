/** What `parsePdf` runs on its thread. */
import type { TaskFactory } from '../../../platform/threads/task.js';
import { pdfText } from './pdf-text.js';

export interface PdfInput {
  readonly bytes: Uint8Array;
  readonly origin: string;
}

export const tasks: TaskFactory = () => ({
  text: async ({ bytes, origin }: PdfInput) => ({ value: await pdfText(bytes, origin) }),
});
