import type { TextExample } from '../../training/data/examples.js';
import type { Attack, AttackReport } from '../attack.js';
import { SCORER_NAMES, type Scorer } from '../likelihood/scorer.js';
import { shortenedTo } from '../report/attack-report.js';
import type { AuditTarget } from '../target.js';
import { type SentenceTraits, TraitReader } from '../traits.js';
import { chooseDensity } from './choose-density.js';
import { type Confirmable, confirmationReport } from './confirmation-report.js';
import { evidenceOf } from './evidence.js';
import { type HeldNotes, heldNotes } from './held-notes.js';
import { bySight, type Evidence, SIGHTS, type Sight } from './sight.js';

export interface ConfirmationOptions {
  /** Notes on either side, at most. */
  readonly notes?: number;
  readonly draws?: number;
}

const ATTEMPT = 'confirming that a held note was contributed';

const LEAST_NOTES = 5;

/** How often a sentence of another note is taken to be all but equal to a held one. */
const TWIN = 0.01;

/** Over this, evidence of one sentence is as good as certain. */
const LARGE = 30;

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
 * alone. Where sentences were cut it looks for the pieces that its own would have been cut into. Where entities
 * were replaced it does not know the surrogates. Sentences that are equal to a contributed one, as far as the
 * attacker knows them, are no false alarms, and are counted on neither side twice. For a note the evidence of its
 * sentences adds up.
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
      const held = heldNotes(target, most);
      const contributed = held.notes.filter((note) => note.contributed).length;
      const few = Math.min(contributed, held.notes.length - contributed) < LEAST_NOTES;
      if (few || held.population.length === 0) {
        return `${ATTEMPT}: fewer than ${LEAST_NOTES} notes that were, or that were not`;
      }
      return lacksEntities(held)
        ? `${ATTEMPT}: no other note has an entity to stand for those that were replaced`
        : undefined;
    },
    async prepare(target, { random }) {
      return {
        scorer: chooseDensity(target, draws, random.fork('choose')),
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
          ...(target.pieces && { pieces: piecesIn(held) }),
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

/** Whether there are entities that the attacker does not know, and none that it could take for them. */
function lacksEntities({ isMasked, notes, population }: HeldNotes): boolean {
  const hasEntity = ({ labels }: TextExample) => labels.some((label) => label > 0);
  const isHeld = notes.some(({ sentences }) => sentences.some(({ example }) => hasEntity(example)));
  return isMasked && isHeld && !population.some(hasEntity);
}

/**
 * Each different sentence that was contributed, and each that no contributed note has; only those of which anything
 * left, or would have.
 */
function confirmableSentences(
  target: AuditTarget,
  { notes, contributedKeys }: HeldNotes,
  evidence: ReadonlyMap<string, Evidence>,
): Confirmable[] {
  const traits = new TraitReader(target);
  const done = new Set<string>();
  return notes.flatMap(({ documentIndex, contributed, sentences }) =>
    sentences.flatMap(({ key, example, pieces }) => {
      const own = evidence.get(key);
      if (!own || pieces.length === 0 || done.has(key)) return [];
      if (contributedKeys.has(key) !== contributed) return [];
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
    const sum = (sight: Sight) => own.reduce((total, each) => total + withTwins(each[sight]), 0);
    const traits: Partial<SentenceTraits> = {};
    return [{ documentIndex, contributed, evidence: bySight(sum), traits }];
  });
}

function piecesIn({ contributed, cut }: HeldNotes): number {
  return contributed.reduce((sum, example) => sum + cut.released(example).length, 0);
}

/**
 * Evidence where a sentence of some other note, all but equal, may have been contributed in its stead. So no
 * single sentence decides what a whole note was.
 */
function withTwins(evidence: number): number {
  const odds = Math.exp(Math.min(evidence, LARGE));
  return Math.min(evidence, LARGE) - Math.log(1 - TWIN + TWIN * odds);
}

function differentSentences({ notes }: HeldNotes): number {
  return new Set(notes.flatMap(({ sentences }) => sentences.map(({ key }) => key))).size;
}
