import { describeOthers, otherFiles } from '../../models/text/corpus/other-files.js';
import type { Context } from './context.js';

/** Says how many files below an input are not read for their endings, if any; by default those of no corpus. */
export async function sayOtherFiles(
  input: string,
  { say }: Pick<Context, 'say'>,
  isRead?: (name: string) => boolean,
): Promise<void> {
  const line = describeOthers(await otherFiles(input, isRead));
  if (line !== undefined) say(line);
}
