import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../models/tensor/random.js';
import { type Cluster, REPLICAS } from './cluster.js';
import { type Trainings, WORKERS } from './trainings.js';
import { within } from './within.js';

const HELD_MS = 1500;
/** More than a leader has without a word, and the turn after which another asks. */
const FORGOTTEN_MS = 80_000;
/** In which who led asks whether it still does. */
const TURN_MS = 12_000;
/** More than unfinished uploads and unused blobs are kept. */
const JUMP_MS = 100 * 3_600_000;
/** What takes long is drawn one time in so many. */
const RARELY = 10;

/** Who is at work while something befalls them. */
export interface Site {
  readonly cluster: Cluster;
  readonly trainings: Trainings;
}

/** What befalls a cluster while clients are at work; each ends with everything running again. */
const FAULTS = {
  'server killed': async ({ cluster }, random) => cluster.restart(random.integer(REPLICAS)),
  'server held': async ({ cluster }, random) => {
    const i = random.integer(REPLICAS);
    cluster.signal(i, 'SIGSTOP');
    await delay(HELD_MS);
    cluster.signal(i, 'SIGCONT');
  },
  'database killed': async ({ cluster }) => cluster.restartDatabase(),
  'database held': async ({ cluster }) => cluster.holdDatabase(HELD_MS),
  'gateway killed': async ({ cluster }) => cluster.restartGateway(),
  'gateway held': async ({ cluster }) => cluster.holdGateway(HELD_MS),
  'commit lost': async ({ cluster }) => cluster.proxy.breakNext('before it came'),
  'answer to a commit lost': async ({ cluster }) => cluster.proxy.breakNext('after it was done'),
  'clock jumped': async ({ cluster }, random) => {
    const jumps = [JUMP_MS, -JUMP_MS, 0, 0] as const;
    cluster.shiftClock(random.integer(REPLICAS), jumps[random.integer(jumps.length)] as number);
  },
  'worker killed': async ({ trainings }, random) => trainings.replace(random.integer(WORKERS)),
  'worker held past its lease': async ({ trainings }, random) =>
    trainings.hold(random.integer(WORKERS)),
  'leader held past its lease': async ({ cluster }) => leaderForgotten(cluster),
} satisfies Record<string, (site: Site, random: Random) => Promise<void>>;

export type Fault = keyof typeof FAULTS;
const NAMES = Object.keys(FAULTS) as Fault[];
const SLOW: ReadonlySet<Fault> = new Set<Fault>(['leader held past its lease']);

/** Each once at first, then any. */
export function faultOf(round: number, random: Random): Fault {
  if (round < NAMES.length) return NAMES[round] as Fault;
  for (;;) {
    const drawn = NAMES[random.integer(NAMES.length)] as Fault;
    if (!SLOW.has(drawn) || random.integer(RARELY) === 0) return drawn;
  }
}

export function befall(fault: Fault, site: Site, random: Random): Promise<void> {
  return FAULTS[fault](site, random);
}

/** Throws where nobody else leads meanwhile, or where who led does so again as it wakes. */
async function leaderForgotten(cluster: Cluster): Promise<void> {
  for (let i = 0; i < REPLICAS; i++) cluster.shiftClock(i, 0);
  const led = await within(() => cluster.leader(), FORGOTTEN_MS);
  if (led === undefined) throw new Error('nobody leads');
  cluster.signal(led, 'SIGSTOP');
  const another = async () => {
    const leads = await cluster.leader();
    return leads !== led && leads;
  };
  const next = await within(another, FORGOTTEN_MS).finally(() => cluster.signal(led, 'SIGCONT'));
  await delay(TURN_MS);
  const leads = await within(() => cluster.leader());
  if (next === undefined || leads !== next)
    throw new Error(`server ${led} led, then ${next}, and once it woke ${leads}`);
}
