import type { Random } from '../../tensor/random.js';
import type * as tf from '../../tensor/tf.js';
import type { TextExample } from '../../training/data/examples.js';
import type { Attack } from '../attack.js';
import { likelihoods } from '../likelihood/likelihoods.js';
import { observeNotes } from '../likelihood/observe.js';
import { rankOf } from '../likelihood/rank.js';
import { overTrials } from '../over-trials.js';
import { attackReport, type Outcome, shortenedTo } from '../report/attack-report.js';
import type { AuditTarget } from '../target.js';

export interface LookupOptions {
  readonly trials?: number;
  /** M, the number of sentences that a release is looked up among; fewer where the notes have fewer. */
  readonly sentences?: number;
  readonly draws?: number;
}

const LEAST_SENTENCES = 10;

/**
 * The attacker knows M sentences with the same labels, so that what is shared in clear does not
 * tell them apart, and gets a release of one of them. It computes the likelihood of the release under each,
 * and takes the likeliest. So an attacker who has a sentence learns that it is in the pool; one who does
 * not have it learns nothing of its words.
 */
export function lookupTable({
  trials: most = 200,
  sentences = 50,
  draws = 4,
}: LookupOptions = {}): Attack<Tables, Lookups> {
  return {
    name: 'lookup-table',
    minutes: 0.3,
    reports: 1,
    obstacle: (target) =>
      sentencesWithLookalikes(target, tablesOf(target)).length < LEAST_SENTENCES
        ? `finding a sentence that is known already (lookup table): fewer than ${LEAST_SENTENCES} share their labels with another`
        : undefined,
    async prepare(target, { random }) {
      const tables = tablesOf(target);
      const planned = sentencesWithLookalikes(target, tables);
      random.fork('order').shuffle(planned);
      return { tables, chosen: planned.slice(0, most) };
    },
    async run(target, context, { tables, chosen }) {
      const outcomes = await overTrials(
        chosen,
        { step: 'lookup table', unit: 'sentences', least: 2 },
        context,
        (example, i): Outcome => {
          const own = context.random.fork(`trial-${i}`);
          const table = choicesFor(example, tables.get(inClearOf(example)) ?? [], sentences, own);
          const success = lookUp(target, example, table, draws, own);
          const { documentIndex } = example;
          return { documentIndex, success, guessed: 1 / table.length };
        },
      );
      return { outcomes, planned: chosen.length };
    },
    report({ outcomes, planned }, context) {
      const heading = {
        name: 'lookup-table',
        attack: 'lookup-table',
        task: 'find the sentence',
        description: `knows the model and up to ${sentences} sentences with the same labels, and finds which of them a release is of`,
        settings: { sentences, draws },
        shortened: shortenedTo(outcomes.length, planned, 'sentences'),
      } as const;
      return [attackReport(heading, outcomes, 'tried', context)];
    },
  };
}

/** The different sentences of all notes by what is shared in clear of them. */
type TablesByClear = ReadonlyMap<string, readonly Int32Array[]>;

interface Tables {
  readonly tables: TablesByClear;
  readonly chosen: readonly TextExample[];
}

interface Lookups {
  readonly outcomes: readonly Outcome[];
  readonly planned: number;
}

function tablesOf({ train, validation, test }: AuditTarget): TablesByClear {
  const tables = new Map<string, Int32Array[]>();
  const seen = new Set<string>();
  for (const example of [...test, ...validation, ...train]) {
    const key = example.ids.join();
    if (seen.has(key)) continue;
    seen.add(key);
    const table = tables.get(inClearOf(example)) ?? [];
    table.push(example.ids);
    tables.set(inClearOf(example), table);
  }
  return tables;
}

/** Test sentences with the same labels as another sentence. */
function sentencesWithLookalikes({ test }: AuditTarget, tables: TablesByClear): TextExample[] {
  return test.filter((example) => (tables.get(inClearOf(example))?.length ?? 0) > 1);
}

function inClearOf({ labels }: TextExample): string {
  return labels.join();
}

/** The sentence, followed by others that look like it. */
function choicesFor(
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
  target: AuditTarget,
  example: TextExample,
  table: readonly Int32Array[],
  draws: number,
  random: Random,
): boolean {
  const { representation, vocabulary } = target;
  const released = observeNotes(target, [example], random).reshape<tf.Tensor2D>([1, -1]);
  const { matched } = likelihoods(representation, vocabulary, table, released, draws, random);
  return rankOf(matched, 0, random) === 0;
}
