import { spawnSync } from 'node:child_process';

/** What a call gave: its value, or the code and the message of its error. */
interface Outcome {
  readonly value?: unknown;
  readonly code?: string;
  readonly message?: string;
}

/** Calls a function of a module in a new process of Node, with more environment variables. */
export function inNewProcess(
  module: URL | string,
  call: string,
  environment: Readonly<Record<string, string>> = {},
): Outcome {
  const script = `
    const print = (outcome) => console.log(JSON.stringify(outcome));
    const exported = await import(${JSON.stringify(module)});
    try {
      print({ value: await exported.${call} });
    } catch ({ code, message }) {
      print({ code, message });
    }`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--input-type=module', '--eval', script],
    { encoding: 'utf8', env: { ...process.env, ...environment } },
  );
  if (!stdout) throw new Error(`the process failed: ${stderr}`);
  return JSON.parse(stdout);
}
