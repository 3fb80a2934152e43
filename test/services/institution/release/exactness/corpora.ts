import fc from 'fast-check';
import type { Document, Span } from '../../../../../models/text/document.js';
import { WORDS } from '../../notes.js';

/** Two corpora that differ in every labelled entity, but for those of a type that is kept, and in nothing else. */
export type CorporaPair = readonly [readonly Document[], readonly Document[]];

/** A document with places for entities: a text, then an entity and a text as often as there are places. */
interface Skeleton {
  readonly first: string;
  readonly places: readonly Place[];
  /** Whether its file states where sentences begin: behind each entity, and within each. */
  readonly statesSentences: boolean;
}

/** A byte order mark, joiners, a soft hyphen and a change of direction: parts of the character before them. */
const INVISIBLE = ['\ufeff', '\u200d', '\u00ad', '\u202e'] as const;

interface Place {
  readonly type: string;
  readonly gap: string;
  /** The entity of both corpora, where it is kept. */
  readonly kept?: string;
}

const GAP_PARTS = [
  ...WORDS,
  ' ',
  ' ',
  ' ',
  '.',
  '. ',
  ',',
  '\n',
  '\n\n',
  '12',
  '-',
  '(',
  ':',
  'Dr.',
  'J. ',
  'Nombre:',
  '\n- ',
  '\n1. ',
  'a) ',
  '•',
  '\r\n',
  '\r\n\r\n',
  '\u2028',
  '\t',
  ...INVISIBLE,
  '\u0301',
  'مريم',
  '😀',
  'III',
  '½',
];
const gap = fc
  .array(fc.constantFrom(...GAP_PARTS), { maxLength: 12 })
  .map((parts) => parts.join(''));

/** Other scripts, digits, casings, numbers of words, and what ends a sentence or a line. */
const entity = fc.oneof(
  fc.constantFrom(
    ...WORDS,
    'ANA',
    'José María de la O',
    '李小龍',
    'Владимир',
    'مريم',
    '😀😀',
    'a\u0301',
  ),
  // What readers, the tokeniser and the splitter look at, in the place of a name.
  fc.constantFrom(
    ...INVISIBLE,
    '\ufeffAna',
    '\u0301x',
    'Ana\u202e',
    ' ',
    '\t',
    '\r\n',
    'Ana\r\nLópez',
    '\n\nAna\n\n',
    '\n- Ana',
    '• Ana',
    '1. Ana',
    'Nombre: Ana',
    '.',
    '...',
    '?!',
    'J.',
    'St.',
    'e.g.',
    'Ana.',
    'Ana Gil. Bea',
    '李。',
    'ﬁ',
    'İ',
    'ß',
    'Ⅷ',
    '½',
    '</TEXT>',
    '&amp;',
    '"',
    ']]>',
    'T1\tPHI 0 3',
    '111',
  ),
  // Longer than a sentence may be.
  fc.constant(`${'word '.repeat(150)}end`),
  fc.stringMatching(/^[A-Za-z0-9 .,\n/-]{0,40}[A-Za-z0-9]$/),
  fc.integer({ min: 0, max: 99_999_999 }).map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  fc.constant('x'.repeat(300)),
);

const replaced: fc.Arbitrary<Place> = fc.record({ type: fc.constant('PHI'), gap });
const kept: fc.Arbitrary<Place> = fc.record({
  type: fc.constant('ORG'),
  gap,
  kept: fc.oneof(fc.constantFrom(...WORDS, 'Beta Gamma'), entity),
});

export const corporaPair = pairOf(replaced);
/** Some of the entities are of type ORG, and the same in both. */
export const corporaPairWithKept = pairOf(fc.oneof(replaced, kept));

function pairOf(place: fc.Arbitrary<Place>): fc.Arbitrary<CorporaPair> {
  const skeleton: fc.Arbitrary<Skeleton> = fc.record({
    first: gap,
    places: fc.array(place, { maxLength: 6 }),
    statesSentences: fc.boolean(),
  });
  return fc
    .array(skeleton, { minLength: 1, maxLength: 6 })
    .chain((skeletons) => {
      const others = skeletons.flatMap(({ places }) => places.filter((each) => !each.kept));
      const entities = fc.array(entity, { minLength: others.length, maxLength: others.length });
      return fc.tuple(fc.constant(skeletons), entities, entities);
    })
    .filter(([, mine, others]) => mine.every((each, i) => each !== others[i]))
    .map(([skeletons, mine, others]) => [corpusOf(skeletons, mine), corpusOf(skeletons, others)]);
}

function corpusOf(skeletons: readonly Skeleton[], entities: readonly string[]): Document[] {
  let at = 0;
  return skeletons.map(({ first, places, statesSentences }, i) => {
    let text = first;
    const sentences = [0];
    const spans: Span[] = places.map((place) => {
      const start = text.length;
      text += place.kept ?? (entities[at++] as string);
      const end = text.length;
      if (end > start + 1) sentences.push(start + 1);
      sentences.push(end);
      text += place.gap;
      return { type: place.type, start, end };
    });
    return { id: `note-${i}`, text, spans, ...(statesSentences && { sentences }) };
  });
}
