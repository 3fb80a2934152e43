import { shorterForms } from '../../../../../models/certification/entity.js';
import type { Judged } from '../../../../../services/institution/release/limits/judged.js';
import { NameMoves } from '../../../../../services/institution/release/limits/moves.js';
import {
  type Mention,
  mentionsOf,
} from '../../../../../services/institution/release/sentences/sentence.js';

/** Words with their labels. */
type NotedSentence = readonly (readonly [word: string, label: number])[];
export type Note = readonly NotedSentence[];

const nameOf = (words: readonly string[]) => words.join(' ');

/** Names of one type, each behind a word of no type. */
export function sentence(names: readonly string[], type = 1): NotedSentence {
  return names.flatMap((name) => [
    ['of', 0] as const,
    ...name.split(' ').map((word, i) => [word, i === 0 ? 2 * type - 1 : 2 * type] as const),
  ]);
}

/** Notes of one sentence, each with a name of its own. */
export function others(count: number, type = 1): Note[] {
  return Array.from({ length: count }, (_, i) => [sentence([`other${type}x${i}`], type)]);
}

function mentionsIn(note: Note): Mention[][] {
  return mentionsOf(
    note.map((own) => ({
      labels: Uint8Array.from(own, ([, label]) => label),
      wordAt: (token) => (own[token] as NotedSentence[number])[0],
    })),
  );
}

export function namesIn(notes: readonly Note[]): string[] {
  return [
    ...new Set(
      notes.flatMap((note) =>
        mentionsIn(note)
          .flat()
          .map(({ words }) => nameOf(words)),
      ),
    ),
  ];
}

/** The notes where names are others: in each note that names one of them, all that moves with it there. */
export function movedNotes(
  notes: readonly Note[],
  names: readonly string[],
  twinOf: (word: string) => string,
): Note[] {
  return notes.map((note) => {
    const mentions = mentionsIn(note);
    return note.map((own, i) => {
      const moving = (mentions[i] ?? []).filter(({ words }) => names.includes(nameOf(words)));
      const moved = new Set(moving.flatMap(({ tokens }) => tokens));
      return own.map(([word, label], t) => [moved.has(t) ? twinOf(word) : word, label] as const);
    });
  });
}

/** What would be judged of the notes, sentence by sentence; `squaredOf` says what one reveals where these tokens move. */
export function judgedNotes(
  notes: readonly Note[],
  {
    twinOf,
    squaredOf,
  }: {
    readonly twinOf: (word: string, twin: number) => string;
    readonly squaredOf: (own: NotedSentence, mention: Mention) => Float64Array;
  },
): Judged {
  const twins = squaredOf([], { words: [], type: 0, whole: [], tokens: [] }).length;
  const found = new NameMoves({ nameOf, twins });
  const formsOf = new Map<string, string[]>();
  const charges = notes.flatMap((note) => {
    const mentions = mentionsIn(note);
    return note.map((own, i) => {
      const places = (mentions[i] ?? []).map((mention) => {
        formsOf.set(nameOf(mention.words), shorterForms(mention.words).map(nameOf));
        return { entity: nameOf(mention.words), mention };
      });
      found.add(places, (token, twin) => twinOf((own[token] as NotedSentence[number])[0], twin));
      return places.map(({ entity, mention }) => ({
        entity,
        whole: mention.whole,
        squared: squaredOf(own, mention),
      }));
    });
  });
  const labels = notes.flat().map((own) => Uint8Array.from(own, ([, label]) => label));
  return { charges, labels, formsOf, moves: found.moves, immovableEntities: new Set() };
}
