import { Command } from 'commander';
import { dropSegments } from '../../institution/release/drop-segments.js';
import { Ledger } from '../../institution/release/ledger/ledger.js';
import { contextOf } from '../context.js';

interface AdoptOptions {
  readonly ledger: string;
  readonly forgetReleases?: boolean;
}

interface DropCommandOptions {
  readonly althoughSent?: boolean;
}

/** `tacet home`: the ledger of an institution, which copy of it counts, and what leaves it no more. */
export function homeCommand(): Command {
  const home = new Command('home').description('the ledger of releases of an institution');
  home
    .command('show')
    .description(
      'show which ledger a home holds, whether it is the one that counts, and what waits in it',
    )
    .argument('<directory>', 'the home')
    .action(show);
  home
    .command('adopt')
    .description('take a home that was moved, copied or restored for the only one of its ledger')
    .argument('<directory>', 'the home')
    .requiredOption('--ledger <id>', 'id of its ledger: you have made sure that no copy is used')
    .option('--forget-releases', 'although releases are missing in it, which may then be repeated')
    .action(adopt);
  home
    .command('drop')
    .description(
      'delete segments that no pool will accept; what they hold counts as released for good',
    )
    .argument('<directory>', 'the home')
    .argument('<segment...>', 'digests of segments that wait, as contribute names them')
    .option('--although-sent', 'although a pool may have accepted them, which stays there')
    .action(drop);
  return home;
}

async function show(directory: string, _options: object, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const ledger = await Ledger.open(directory, signal);
  try {
    const { id } = ledger;
    const { generation, bounds, waiting } = ledger.reading(() => ({
      generation: ledger.generation().generation,
      bounds: ledger.bounds(),
      waiting: waitingIn(ledger),
    }));
    result({ ledger: id, segments: generation, waiting, bounds, directory }, [
      `ledger    ${id}`,
      `segments  ${generation} recorded, ${waiting.length} of them waiting for a pool`,
      ...Object.entries(bounds).map(([name, value]) => `${name.padEnd(13)} ${value ?? '-'}`),
      ...waiting.map(
        ({ digest, sentences, bytes, isSent }) =>
          `waiting   ${digest}  ${sentences} sentences or pieces, ${bytes} bytes${isSent ? ', sent: whether a pool has it is not known' : ''}`,
      ),
    ]);
  } finally {
    ledger.close();
  }
}

/** Segments that no pool has promised to keep. */
function waitingIn({ segments }: Ledger) {
  const sent = segments.pendingContributions().filter(({ isSent }) => isSent);
  const asked = new Set(sent.flatMap(({ digest }) => segments.of(digest).map((one) => one.digest)));
  return segments.pending().map(({ digest, sentences, tokens, bytes }) => ({
    ...{ digest, sentences, tokens, bytes },
    isSent: asked.has(digest),
  }));
}

async function adopt(
  directory: string,
  { ledger, forgetReleases = false }: AdoptOptions,
  command: Command,
): Promise<void> {
  const { result } = contextOf(command);
  await Ledger.adopt(directory, ledger, forgetReleases);
  result({ adopted: ledger, directory }, `${directory}: holds the ledger ${ledger} from now on`);
}

async function drop(
  directory: string,
  segments: readonly string[],
  { althoughSent }: DropCommandOptions,
  command: Command,
): Promise<void> {
  const { signal, result } = contextOf(command);
  const dropped = await dropSegments(directory, segments, { althoughSent, signal });
  const lines = dropped.map(
    ({ digest, sentences, tokens }) =>
      `segment ${digest}: deleted; its ${sentences} sentences or pieces of them, of ${tokens} tokens, count as released`,
  );
  result({ dropped, directory }, lines);
}
