import { groupedBy } from '../../platform/grouped-by.js';
import type { TextExample } from '../training/data/examples.js';
import { type Original, originalsOf } from './originals.js';
import type { ReplacedEntity } from './replaced-entity.js';
import type { AuditTarget } from './target.js';
import { typeOf } from './traits.js';

/**
 * Test notes as they would be if each replaced entity had one surrogate in its note, that of its first mention, and its
 * shorter forms the words of it: a name that nobody labelled stands there under its own words each time, where mentions
 * are replaced independently of each other. Further copies are left out, and nothing was released of these notes. As they
 * are where entities were kept.
 */
export function withOneSurrogate(target: AuditTarget): AuditTarget {
  const { replaced, furtherCopies, labels, lines, institutions, patients } = target;
  if (!replaced) return target;
  const test = target.test.filter((example) => !furtherCopies?.has(example));
  const surrogates = surrogatesOf(originalsOf({ test, replaced }));
  const changed = new Map(
    test.map((example) => {
      const spans = replaced.get(example) ?? [];
      return [example, filled(example, spans, surrogates, labels)] as const;
    }),
  );
  const moved = <V>(values: ReadonlyMap<TextExample, V> | undefined) =>
    values && new Map([...values].map(([each, value]) => [changed.get(each) ?? each, value]));
  return {
    ...target,
    test: [...changed.values()],
    ...{ released: undefined, pieces: undefined, unreleased: undefined, partlyReleased: undefined },
    ...{ replaced: undefined, furtherCopies: undefined },
    ...{ lines: moved(lines), institutions: moved(institutions), patients: moved(patients) },
  };
}

/** Of each surrogate that stands in the notes, the words that are to stand there instead. */
function surrogatesOf(originals: readonly Original[]): Map<ReplacedEntity, Int32Array> {
  const surrogates = new Map<ReplacedEntity, Int32Array>();
  const documents = groupedBy(originals, ({ documentIndex }) => documentIndex);
  for (const own of documents.values()) {
    const chosen = new Map<Original, Int32Array>();
    for (const original of [...own].sort((a, b) => b.ids.length - a.ids.length)) {
      const words = ofLongerForm(original, chosen) ?? ofFirstMention(original);
      chosen.set(original, words);
      for (const span of [...original.sentences.values()].flat()) surrogates.set(span, words);
    }
  }
  return surrogates;
}

function ofFirstMention({ sentences }: Original): Int32Array {
  const [[example, [first]]] = sentences as Map<TextExample, ReplacedEntity[]>;
  return example.ids.slice(first.start, first.end);
}

/** Where the words stand one behind the other in a longer entity of the type whose surrogate has as many words as it. */
function ofLongerForm(
  { type, ids }: Original,
  chosen: ReadonlyMap<Original, Int32Array>,
): Int32Array | undefined {
  for (const [longer, words] of chosen) {
    if (longer.type !== type || longer.ids.length !== words.length) continue;
    const at = longer.ids.findIndex((_, i) => ids.every((id, k) => id === longer.ids[i + k]));
    if (at >= 0) return words.slice(at, at + ids.length);
  }
  return undefined;
}

/** The sentence with other words in the place of its surrogates. */
function filled(
  example: TextExample,
  spans: readonly ReplacedEntity[],
  surrogates: ReadonlyMap<ReplacedEntity, Int32Array>,
  labels: readonly string[],
): TextExample {
  const ids: number[] = [];
  const labelIds: number[] = [];
  let from = 0;
  const keepUntil = (end: number) => {
    ids.push(...example.ids.slice(from, end));
    labelIds.push(...example.labels.slice(from, end));
  };
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    keepUntil(span.start);
    const words = surrogates.get(span) as Int32Array;
    const begins = example.labels[span.start] as number;
    const inside = labels.indexOf(`I-${typeOf(labels, begins)}`);
    ids.push(...words);
    labelIds.push(begins, ...Array<number>(words.length - 1).fill(inside));
    from = span.end;
  }
  keepUntil(example.ids.length);
  return { ...example, ids: Int32Array.from(ids), labels: Uint8Array.from(labelIds) };
}
