import type { Candidates } from '../embeddings/candidates.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { View } from '../networks/view.js';
import type { TextExample } from '../training/examples.js';

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
}
