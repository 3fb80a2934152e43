import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { run } from '../../../services/cli/run.js';

const RUN = new URL('../../../services/cli/run.js', import.meta.url).href;

/** As a fault of the program over a note would be: its message quotes a name. */
function failOverNote(): never {
  throw new TypeError("Cannot read properties of undefined (reading 'Huntington\n    at Hosp')");
}

async function said(...args: readonly string[]) {
  let stderr = '';
  const spy = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text;
    return true;
  });
  const program = async () => new Command().option('--json').action(failOverNote);
  const exit = await run(program, ['node', 'tacet', ...args]).finally(() => spy.mockRestore());
  return { exit, stderr };
}

test('a command that fails as nobody expected says where, and nothing of a note', async () => {
  const { exit, stderr } = await said();
  expect(exit).toBe(1);
  expect(stderr).toMatch(/^tacet: internal: .*TypeError.*\n +at .*failOverNote/);
  expect(stderr).not.toMatch(/Huntington|Hosp/);
});

test('and the same as JSON', async () => {
  const { exit, stderr } = await said('--json');
  const { error } = JSON.parse(stderr);
  expect(error).toMatchObject({ code: 'internal', exit });
  expect(error.places[0]).toContain('failOverNote');
  expect(stderr).not.toMatch(/Huntington|Hosp/);
});

test.each(['thrown where nothing waits for it', 'a promise that nobody waits for'])(
  'so does one that comes from outside a command: %s',
  async (how) => {
    const fails = how.startsWith('a promise') ? 'Promise.reject(failed)' : 'fail()';
    const script = `
      const { endOnFailure } = await import(${JSON.stringify(RUN)});
      endOnFailure(process);
      const failed = new RangeError('the name Huntington', { cause: new Error('of Huntington') });
      function fail() { throw failed; }
      setImmediate(() => { ${fails}; });
      setInterval(() => {}, 1000);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const [status] = await once(child, 'close');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^tacet: internal: .*RangeError/);
    expect(stderr).not.toContain('Huntington');
  },
);
