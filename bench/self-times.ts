import type { Profiler } from 'node:inspector';
import path from 'node:path';

export interface SelfTime {
  readonly name: string;
  readonly milliseconds: number;
  readonly share: number;
}

type Node = Profiler.ProfileNode;

/** V8 gives all functions of an addon one name; the kernel that called it tells them apart. */
const ADDON_CALLER = 'addon.js';

/** Waiting, and the inspector's own work to start and stop the profile. */
const NOT_OURS: ReadonlySet<string> = new Set(['(idle)', 'dispatch']);

/** Where the samples of a profile fell, the most first: functions by file, native ones by caller. */
export function selfTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): SelfTime[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap((node) => (node.children ?? []).map((child) => [byId.get(child), node] as const)),
  );
  const times = new Map<string, number>();
  let total = 0;
  for (const [i, sample] of samples.entries()) {
    const node = byId.get(sample);
    if (!node || NOT_OURS.has(node.callFrame.functionName)) continue;
    const time = timeDeltas[i] as number;
    const name = nameOf(node, parents);
    times.set(name, (times.get(name) ?? 0) + time);
    total += time;
  }
  return [...times]
    .map(([name, time]) => ({ name, milliseconds: time / 1e3, share: time / total }))
    .sort((a, b) => b.milliseconds - a.milliseconds);
}

function nameOf(node: Node, parents: ReadonlyMap<Node | undefined, Node>): string {
  if (node.callFrame.url !== '') return ownName(node);
  let caller = parents.get(node);
  if (!caller || fileOf(caller) !== ADDON_CALLER) return node.callFrame.functionName || '(native)';
  while (caller && fileOf(caller) === ADDON_CALLER) caller = parents.get(caller);
  return `native: ${caller ? ownName(caller) : '?'}`;
}

function ownName(node: Node): string {
  const { functionName, lineNumber } = node.callFrame;
  return `${functionName || `line ${lineNumber + 1}`} of ${fileOf(node)}`;
}

function fileOf(node: Node): string {
  return path.basename(node.callFrame.url);
}
