import path from 'node:path';
import { Command } from 'commander';
import { readPrivateKey } from '../../../models/bundle/key-files.js';
import { freeze } from '../../../study/runs/frozen.js';
import { withRunLock } from '../../workflows/train/run-lock.js';
import { contextOf } from '../context.js';

interface Options {
  readonly name: string;
  readonly out: string;
  readonly key?: string;
}

/** `tacet experiment freeze`: what is kept of a run, so that nobody must train it again. */
export function experimentFreezeCommand(): Command {
  return new Command('freeze')
    .description('keep the representation of a finished run with its configuration')
    .argument('<run>', 'a run directory of tacet train')
    .requiredOption('--name <name>', 'lower case letters, digits and hyphens')
    .option('--out <dir>', 'a folder of this name is made in it', 'study/frozen')
    .option(
      '--key <file>',
      'private key; without it what is kept is what tacet bundle create signs',
    )
    .action(async (run: string, { name, out, key }: Options, command: Command) => {
      const directory = path.join(out, name);
      const signer = key === undefined ? undefined : await readPrivateKey(key);
      const { fields, signed } = await withRunLock(run, () => freeze(run, directory, signer));
      contextOf(command).result({ directory, signed, scores: fields.scores }, [
        `${directory}  ${signed ? 'signed' : 'unsigned'}`,
        ...Object.entries(fields.scores).map(([score, value]) => `${score}  ${value}`),
      ]);
    });
}
