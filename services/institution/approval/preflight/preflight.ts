import { type Check, Checklist } from './checklist.js';
import { checkHome } from './home-checks.js';
import { checkModel } from './model-checks.js';
import { checkNotes } from './note-checks.js';
import { checkPool } from './pool-checks.js';
import type { PreflightOptions } from './preflight-options.js';

/** Looks at everything that a job needs, with what the job itself asks, and goes on after a failure. */
export async function preflight(options: PreflightOptions): Promise<readonly Check[]> {
  const checklist = new Checklist(options.signal);
  const model = await checkModel(checklist, options);
  await checkNotes(checklist, options, model);
  await checkHome(checklist, options);
  await checkPool(checklist, options);
  return checklist.checks;
}
