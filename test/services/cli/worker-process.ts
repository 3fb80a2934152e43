import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endAfterTests } from '../left-over.js';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));

/** The real `tacet worker` in a process of its own. */
export interface WorkerProcess {
  /** What it has said on standard error. */
  readonly lines: readonly string[];
  /** Its exit status, once it has ended. */
  readonly ended: Promise<number | null>;
  /** Waits for a line; throws where one says that a job failed, and where it ends. */
  says(text: string | RegExp): Promise<string>;
  signal(name: NodeJS.Signals): void;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts one with these arguments, which asks the pool with this token. */
export function spawnWorker(args: readonly string[], token: string): WorkerProcess {
  const child = spawn(process.execPath, ['--no-warnings', MAIN, 'worker', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', TACET_TOKEN: token },
  });
  const ended = once(child, 'exit').then(([code]) => code);
  child.once(
    'exit',
    endAfterTests(() => child.kill('SIGKILL')),
  );
  const lines: string[] = [];
  const events = new EventEmitter();
  createInterface({ input: child.stderr as never }).on('line', (line) => {
    lines.push(line);
    events.emit('line');
  });
  const signal = (name: NodeJS.Signals) => void child.kill(name);
  return {
    ...{ lines, ended, signal },
    says: async (text) => {
      for (;;) {
        const found = lines.find((line) => line.match(text));
        if (found) return found;
        const failed = lines.find((line) => /: failed/.test(line));
        if (failed) throw new Error(lines.join('\n'));
        const isOver = await Promise.race([once(events, 'line'), ended]);
        if (!Array.isArray(isOver)) throw new Error(`it ended, saying ${lines.join('\n')}`);
      }
    },
    end: (name) => {
      signal(name);
      return ended;
    },
  };
}
