import { setImmediate } from 'node:timers/promises';
import type { Random } from '../tensor/random.js';
import { scoped } from '../tensor/scoped.js';
import type { TextExample } from '../training/examples.js';
import type { Attack } from './attack.js';
import { attackReport, type Outcome, shortenedTo } from './attack-report.js';
import { likelihoods } from './likelihoods.js';
import { observeRepeatedly } from './observe.js';
import type { AuditTarget } from './target.js';

export interface LookupOptions {
  readonly trials?: number;
  /** M, sentences that a release is looked up among, itself included; fewer where notes lack them. */
  readonly sentences?: number;
  readonly draws?: number;
}

/**
 * The attacker knows M sentences of one length and is given a release of one of them: it computes
 * what each would look like and takes the likeliest. It shows who has a sentence already that it is
 * in the pool, not what it says.
 */
export function lookupTable({
  trials: most = 200,
  sentences = 50,
  draws = 4,
}: LookupOptions = {}): Attack {
  return {
    name: 'lookup-table',
    weight: 1,
    reports: 1,
    async run(target, context) {
      const { random, signal, expired, progress } = context;
      const tables = tablesOf(target);
      const planned = target.test.filter(
        (example) => (tables.get(example.ids.length)?.length ?? 0) > 1,
      );
      random.fork('order').shuffle(planned);
      const chosen = planned.slice(0, most);
      const outcomes: Outcome[] = [];
      let guesses = 0;
      for (const [i, example] of chosen.entries()) {
        signal?.throwIfAborted();
        if (i > 1 && expired?.()) break;
        progress?.({ step: 'lookup table', done: i, total: chosen.length, unit: 'sentences' });
        const own = random.fork(`trial-${i}`);
        const table = among(example, tables.get(example.ids.length) ?? [], sentences, own);
        const success = scoped(() => lookUp(target, table, draws, own));
        outcomes.push({ documentIndex: example.documentIndex, success });
        guesses += 1 / table.length;
        await setImmediate();
      }
      return [
        attackReport(
          {
            name: 'lookup-table',
            task: 'find the sentence',
            description: `knows the model and up to ${sentences} sentences of one length, and finds which of them a release is of`,
            settings: { sentences, draws },
            shortened: shortenedTo(outcomes.length, chosen.length, 'sentences'),
          },
          outcomes,
          guesses / Math.max(1, outcomes.length),
          context,
        ),
      ];
    },
  };
}

/** The different sentences of all notes by their length. */
function tablesOf({ train, validation, test }: AuditTarget): Map<number, Int32Array[]> {
  const tables = new Map<number, Int32Array[]>();
  const seen = new Set<string>();
  for (const { ids } of [...test, ...validation, ...train]) {
    const key = ids.join();
    if (seen.has(key)) continue;
    seen.add(key);
    tables.set(ids.length, [...(tables.get(ids.length) ?? []), ids]);
  }
  return tables;
}

/** The sentence first, then others. */
function among(
  { ids }: TextExample,
  table: readonly Int32Array[],
  most: number,
  random: Random,
): Int32Array[] {
  const key = ids.join();
  const others = table.filter((each) => each.join() !== key);
  random.shuffle(others);
  return [ids, ...others.slice(0, most - 1)];
}

function lookUp(
  { representation, vocabulary }: AuditTarget,
  table: readonly Int32Array[],
  draws: number,
  random: Random,
): boolean {
  const released = observeRepeatedly(representation, vocabulary, table[0], 1, random);
  const { matched } = likelihoods(representation, vocabulary, table, released, draws, random);
  const most = Math.max(...matched);
  const winners = [...matched.keys()].filter((i) => matched[i] === most);
  return winners[random.integer(winners.length)] === 0;
}
