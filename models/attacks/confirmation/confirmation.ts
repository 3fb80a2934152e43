import type { Attack, AttackReport } from '../attack.js';
import { type SentenceTraits, TraitReader } from '../inversion/traits.js';
import { chooseScorer, SCORER_NAMES, type Scorer } from '../likelihood/scorer.js';
import { shortenedTo } from '../report/attack-report.js';
import type { AuditTarget } from '../target.js';
import { type Confirmable, confirmationReport } from './confirmation-report.js';
import { evidenceOf } from './evidence.js';
import { type HeldNotes, heldNotes } from './held-notes.js';
import { type Evidence, SIGHTS, type Sight } from './sight.js';

export interface ConfirmationOptions {
  /** Notes on either side, at most. */
  readonly notes?: number;
  readonly draws?: number;
}

const LEAST_NOTES = 5;

interface Prepared {
  readonly scorer: Scorer;
  readonly held: HeldNotes;
}

interface Found {
  readonly sentences: readonly Confirmable[];
  readonly notes: readonly Confirmable[];
  readonly shortened: string | null;
  readonly settings: AttackReport['settings'];
}

/**
 * The attacker holds a sentence, or a whole note, with its labels, and the releases of all contributed
 * sentences, and asks whether its own was among them: by vectors, labels and lengths together, and by each
 * alone. Where entities were replaced it does not know the surrogates. Sentences that are equal to a contributed
 * one, as far as the attacker knows them, are no false alarms, and are counted on neither side twice. For a note the
 * evidence of its sentences adds up.
 */
export function confirmation({
  notes: most = 300,
  draws = 8,
}: ConfirmationOptions = {}): Attack<Prepared, Found> {
  return {
    name: 'confirmation',
    minutes: 1.5,
    reports: 4,
    obstacle: (target) => {
      const { notes, population } = heldNotes(target, most);
      const contributed = notes.filter((note) => note.contributed).length;
      const few = Math.min(contributed, notes.length - contributed) < LEAST_NOTES;
      return few || population.length === 0
        ? `confirming that a held note was contributed: fewer than ${LEAST_NOTES} notes that were, or that were not`
        : undefined;
    },
    async prepare(target, { random }) {
      return {
        scorer: chooseScorer(target, draws, random.fork('choose')),
        held: heldNotes(target, most),
      };
    },
    async run(target, context, { scorer, held }) {
      const evidence = await evidenceOf(target, held, { scorer, draws }, context);
      const sentences = confirmableSentences(target, held, evidence);
      return {
        sentences,
        notes: confirmableNotes(held, evidence),
        shortened: shortenedTo(evidence.size, differentSentences(held), 'sentences'),
        settings: {
          population: held.population.length,
          masked: held.isMasked,
          draws,
          likelihood: SCORER_NAMES[scorer],
        },
      };
    },
    report: ({ sentences, notes, shortened, settings }, context) =>
      SIGHTS.flatMap((sight) => [
        confirmationReport('sentence', sight, sentences, { shortened, settings }, context),
        confirmationReport('note', sight, notes, { shortened, settings }, context),
      ]),
  };
}

/** Each different sentence once; of those that were not contributed only what no contributed note has. */
function confirmableSentences(
  target: AuditTarget,
  { notes }: HeldNotes,
  evidence: ReadonlyMap<string, Evidence>,
): Confirmable[] {
  const traits = new TraitReader(target);
  const done = new Set<string>();
  const contributedFirst = [...notes].sort((a, b) => Number(b.contributed) - Number(a.contributed));
  return contributedFirst.flatMap(({ documentIndex, contributed, sentences }) =>
    sentences.flatMap(({ key, example }) => {
      const own = evidence.get(key);
      if (!own || done.has(key)) return [];
      done.add(key);
      return [{ documentIndex, contributed, evidence: own, traits: traits.ofSentence(example) }];
    }),
  );
}

function confirmableNotes(
  { notes }: HeldNotes,
  evidence: ReadonlyMap<string, Evidence>,
): Confirmable[] {
  return notes.flatMap(({ documentIndex, contributed, sentences }) => {
    const own = sentences.flatMap(({ key }) => evidence.get(key) ?? []);
    if (own.length === 0) return [];
    const sum = (sight: Sight) => own.reduce((total, each) => total + each[sight], 0);
    return [
      {
        documentIndex,
        contributed,
        evidence: {
          all: sum('all'),
          vectors: sum('vectors'),
          labels: sum('labels'),
          lengths: sum('lengths'),
        },
        traits: {} satisfies Partial<SentenceTraits>,
      },
    ];
  });
}

function differentSentences({ notes }: HeldNotes): number {
  return new Set(notes.flatMap(({ sentences }) => sentences.map(({ key }) => key))).size;
}
