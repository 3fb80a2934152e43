import type { Piece } from '../certification/common-pieces.js';
import type { Candidates } from '../embeddings/candidates.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { View } from '../networks/view.js';
import type { Origins } from '../statistics/origins.js';
import type { TextExample } from '../training/data/examples.js';
import type { Patient } from './attributes/patient.js';
import type { NoteLine } from './note-line.js';
import type { ReplacedEntity } from './replaced-entity.js';

/** What every attack is given: the frozen representation and notes split by document. */
export interface AuditTarget {
  readonly representation: View;
  readonly vocabulary: Vocabulary;
  readonly candidates: Candidates;
  /** The labels of the scheme by id, `O` first; they are shared in clear. */
  readonly labels: readonly string[];
  /** Notes that the attacker learns from. */
  readonly train: readonly TextExample[];
  /** Notes that decide when the attacker stops learning. */
  readonly validation: readonly TextExample[];
  /** Notes that nothing was trained on and nothing was chosen by. */
  readonly test: readonly TextExample[];
  /** Which documents of `test` belong together, where some may; without it each is of its own. */
  readonly origins?: Origins | undefined;
  /**
   * The one release [T·d] of each test sentence that an institution is about to share; without it
   * attackers are shown fresh releases.
   */
  readonly released?: ReadonlyMap<TextExample, Float32Array> | undefined;
  /**
   * Of each sentence that was cut once it was encoded, the pieces that left, be it a test sentence or one of
   * `unreleased`, not all of which left; all other test sentences left whole. `released` has a row for each token
   * of these all the same.
   */
  readonly pieces?: ReadonlyMap<TextExample, readonly Piece[]> | undefined;
  /** Sentences of test notes that none of `released` is of: withheld, or alike to one that is there. */
  readonly unreleased?: readonly TextExample[] | undefined;
  /** Of how many sentences of test notes some tokens left and others stayed; none of them is a test sentence. */
  readonly partlyReleased?: number | undefined;
  /**
   * Where another entity was encoded for each labelled one: of each sentence, the surrogates and what they
   * stand for. Nothing else in a target speaks of these originals.
   */
  readonly replaced?: ReadonlyMap<TextExample, readonly ReplacedEntity[]> | undefined;
  /** Test sentences of further copies of a note, whose first one's sentences are there, too. */
  readonly furtherCopies?: ReadonlySet<TextExample> | undefined;
  /** Whether, of what was replaced, what a second reader found is replaced in these sentences, too. */
  readonly readAgain?: boolean | undefined;
  /** Where sentences come from, if they come from several places. */
  readonly institutions?: ReadonlyMap<TextExample, string> | undefined;
  /** Where in its note each sentence stands, where the notes' text was there to say. */
  readonly lines?: ReadonlyMap<TextExample, NoteLine> | undefined;
  /** Of whom sentences are, as far as the notes say. */
  readonly patients?: ReadonlyMap<TextExample, Patient> | undefined;
  /** Sentences that the provider trained the representation on. */
  readonly members?: readonly TextExample[] | undefined;
  /** Which documents of `members` belong together, as `origins`. */
  readonly memberOrigins?: Origins | undefined;
  /** How many notes are none of `test`'s since they are the provider's, or nearly the same as one of these. */
  readonly membersLeftOut?: number | undefined;
}
