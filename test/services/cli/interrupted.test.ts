import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { ROOT } from '../../shared-data.js';
import { endAfterTests } from '../left-over.js';

const [CONTEXT, RUN] = ['context', 'run'].map(
  (name) => new URL(`../../../services/cli/${name}.js`, import.meta.url).href,
);

/** How a process ends whose one command has the body `action`, with `command` in scope. */
async function ended(action: string) {
  const script = `
    import { EventEmitter, once } from 'node:events';
    import { Command } from 'commander';
    import { contextOf } from ${JSON.stringify(CONTEXT)};
    import { run } from ${JSON.stringify(RUN)};
    const waiting = setInterval(() => {}, 1000);
    const interrupt = () => process.kill(process.pid, 'SIGINT');
    const program = new Command().action(async (_, command) => { ${action} });
    process.exitCode = await run(async () => program, ['node', 'tacet']);
    clearInterval(waiting);
  `;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  child.once(
    'exit',
    endAfterTests(() => child.kill('SIGKILL')),
  );
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [status, signal] = await once(child, 'close');
  return { status, signal, said };
}

test('a command that waits for an event when a signal comes ends as interrupted', async () => {
  const action = `
    const { signal } = contextOf(command);
    interrupt();
    await once(new EventEmitter(), 'never', { signal });
  `;
  expect(await ended(action)).toEqual({
    status: 130,
    signal: null,
    said: 'tacet: interrupted: stopped by a signal\n',
  });
});

test('one that asks twice for its signal is ended by the second Ctrl-C', async () => {
  const action = `
    contextOf(command).signal.addEventListener('abort', interrupt);
    contextOf(command).signal;
    interrupt();
    await once(new EventEmitter(), 'never');
  `;
  expect(await ended(action)).toMatchObject({ status: null, signal: 'SIGINT' });
});

test('one that does not ask for its signal is ended by the first', async () => {
  const action = `
    const { result } = contextOf(command);
    interrupt();
    await once(new EventEmitter(), 'never');
    result({}, 'done');
  `;
  expect(await ended(action)).toMatchObject({ status: null, signal: 'SIGINT' });
});
