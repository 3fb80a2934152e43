import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../models/tensor/random.js';
import { type Cluster, REPLICAS } from './cluster.js';

const HELD_MS = 1500;
/** More than unfinished uploads and unused blobs are kept. */
const JUMP_MS = 100 * 3_600_000;

/** What befalls a cluster while clients are at work; each ends with everything running again. */
const FAULTS = {
  'server killed': async (cluster, random) => cluster.restart(random.integer(REPLICAS)),
  'server held': async (cluster, random) => {
    const i = random.integer(REPLICAS);
    cluster.signal(i, 'SIGSTOP');
    await delay(HELD_MS);
    cluster.signal(i, 'SIGCONT');
  },
  'database killed': async (cluster) => cluster.restartDatabase(),
  'database held': async (cluster) => cluster.holdDatabase(HELD_MS),
  'gateway killed': async (cluster) => cluster.restartGateway(),
  'gateway held': async (cluster) => cluster.holdGateway(HELD_MS),
  'commit lost': async ({ proxy }) => proxy.breakNext('before it came'),
  'answer to a commit lost': async ({ proxy }) => proxy.breakNext('after it was done'),
  'clock jumped': async (cluster, random) => {
    const jumps = [JUMP_MS, -JUMP_MS, 0, 0] as const;
    cluster.shiftClock(random.integer(REPLICAS), jumps[random.integer(jumps.length)] as number);
  },
} satisfies Record<string, (cluster: Cluster, random: Random) => Promise<void>>;

export type Fault = keyof typeof FAULTS;
const NAMES = Object.keys(FAULTS) as Fault[];

/** Each once at first, then any. */
export function faultOf(round: number, random: Random): Fault {
  return NAMES[round < NAMES.length ? round : random.integer(NAMES.length)] as Fault;
}

export function befall(fault: Fault, cluster: Cluster, random: Random): Promise<void> {
  return FAULTS[fault](cluster, random);
}
