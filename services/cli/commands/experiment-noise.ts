import { Command, InvalidArgumentError } from 'commander';
import { amplifyRun } from '../../../study/measures/amplified-run.js';
import { withRunLock } from '../../workflows/train/run-lock.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';

interface Options {
  readonly times: number;
  readonly out: string;
}

/** `tacet experiment noise`: a trained representation with more noise on what it releases. */
export function experimentNoiseCommand(): Command {
  return new Command('noise')
    .description('multiply the output noise of a finished run, into a run of its own')
    .argument('<run>', 'a run directory of tacet train')
    .requiredOption('--times <factor>', 'a positive number: 2 doubles every deviation', parseFactor)
    .requiredOption('--out <dir>', 'the run that comes of it, e.g. runs/adv100-noise2/seed-1')
    .action(async (run: string, { times, out }: Options, command: Command) => {
      await useBackendOf(command);
      await withRunLock(out, () => amplifyRun(run, times, out));
      contextOf(command).result({ run, times, directory: out }, [
        `${out}  ${run} with ${times} times the output noise; tacet experiment measure measures it`,
      ]);
    });
}

function parseFactor(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number) && number > 0) return number;
  throw new InvalidArgumentError('expected a number above 0');
}
