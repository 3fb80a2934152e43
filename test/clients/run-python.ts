import { execFile, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { test } from '@jest/globals';
import { ROOT } from '../shared-data.js';

/** Another interpreter than the first `python3` of the path, where TACET_PYTHON names one. */
const PYTHON = process.env.TACET_PYTHON || 'python3';
const CLIENT = join(ROOT, 'clients', 'python');

const found = spawnSync(PYTHON, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']);
const hasPython = found.status === 0;
if (!hasPython) process.stderr.write(`without Python: ${PYTHON} is not there, or older than 3.9\n`);

/** A test of the Python client; skipped where there is no Python. */
export function testWithPython(
  title: string,
  check: () => void | Promise<void>,
  timeoutMs?: number,
): void {
  if (hasPython) test(title, check, timeoutMs);
  else test.skip(title, () => undefined);
}

/** Whether Python has all of these modules; which it lacks is said on standard error. */
export function pythonHas(...modules: readonly string[]): boolean {
  const missing = modules.filter((module) => {
    const find = `import importlib.util, sys; sys.exit(importlib.util.find_spec("${module}") is None)`;
    return spawnSync(PYTHON, ['-c', find]).status !== 0;
  });
  if (missing.length > 0) process.stderr.write(`without ${missing.join(', ')} of Python\n`);
  return missing.length === 0;
}

/** ONNX Runtime of Node in the place of Python's, for an interpreter that has numpy and not that. */
const NODE_RUNTIME = join(ROOT, 'test', 'clients', 'node-runtime');

/** What the environment of Python needs for it; nothing where Python has a runtime of its own. */
function nodeRuntime(): Record<string, string> {
  return {
    PYTHONPATH: [CLIENT, NODE_RUNTIME].join(delimiter),
    TACET_NODE: process.execPath,
    TACET_ONNXRUNTIME_NODE: createRequire(import.meta.url).resolve('onnxruntime-node'),
  };
}

/** What a script prints that is given these arguments and environment; throws with what it complained of. */
export function runPython(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    PYTHONPATH: CLIENT,
    ...(lacksRuntime() && nodeRuntime()),
    PYTHONDONTWRITEBYTECODE: '1',
    OMP_NUM_THREADS: '1',
    ...variables,
  };
  return new Promise((resolve, reject) => {
    execFile(
      PYTHON,
      [...args],
      { cwd: CLIENT, env, maxBuffer: 1 << 28 },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${error.message}\n${stderr}`));
        else {
          for (const [, reason] of stderr.matchAll(/skipped '(.*)'/g))
            process.stderr.write(`skipped in Python: ${reason}\n`);
          resolve(stdout);
        }
      },
    );
  });
}

let lacks: boolean | undefined;
function lacksRuntime(): boolean {
  lacks ??= !pythonHas('onnxruntime');
  return lacks;
}

/** Runs a module of `clients/python/tests`; `fixtures` is the folder that its tests read. */
export async function runUnittest(module: string, fixtures = ''): Promise<void> {
  const args = ['-W', 'error', '-m', 'unittest', '--verbose', `tests.${module}`];
  await runPython(args, { TACET_FIXTURES: fixtures });
}
