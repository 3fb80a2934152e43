import { jest } from '@jest/globals';
import { createProgram } from '../../../services/cli/program.js';
import { run } from '../../../services/cli/run.js';

/** Runs one `tacet` command line in this process and returns what it printed. */
export async function capturedRun(
  ...args: readonly string[]
): Promise<{ exit: number; stdout: string; stderr: string }> {
  const printed = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += text;
      return true;
    }),
  );
  try {
    return { exit: await run(createProgram, ['node', 'tacet', ...args]), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM');
  }
}
