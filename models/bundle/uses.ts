import type { Facts, Manifest } from './manifest.js';

/** What a model is for, and what it must not be used for. */
export interface Use {
  /** What it does, after `it`. */
  readonly does: string;
  readonly intended: string;
  readonly notFor: readonly string[];
}

const OTHER_NOTES = 'notes of another language, kind or label scheme than those it was trained on';

export const USES: Readonly<Record<Manifest['kind'], Use>> = {
  representation: {
    does: 'turns labelled notes into noisy vectors that may leave an institution',
    intended:
      'encoding labelled clinical notes where they are, for a pool on which de-identifiers are trained',
    notFor: [
      OTHER_NOTES,
      'notes that are not labelled: a name without a label is not replaced, and has a limit alone, a mean',
      'releasing anything before an audit of this very model was read',
      'a claim that what it releases is anonymous: a bound on the notes themselves says how far it is',
    ],
  },
  pipeline: {
    does: 'finds protected health information in notes, inside an institution',
    intended:
      'finding protected health information in clinical notes inside an institution, where people ' +
      'check a sample of what it left',
    notFor: [
      OTHER_NOTES,
      'giving its output away unchecked: it leaves some of the information in',
      'releasing the vectors inside it: a representation with an audit is for that',
    ],
  },
};

const READS_TEXT =
  'It holds no representation and reads the words themselves, in training too: nothing bounds what ' +
  'its weights tell of the notes that it was trained on.';
const READS_TEXT_PRIVATELY =
  'It holds no representation and reads the words themselves, in training too: what its weights tell of the ' +
  'notes that it was trained on is bounded by what is promised of its training, and by nothing else.';

/** Of what holds a representation; a pool's pipeline learned from releases, and its representation before them. */
const WEIGHTS_OF_REPRESENTATION =
  'Nothing bounds what the weights of the representation tell of the notes that it was trained on, which must be public.';
const WEIGHTS_OF_NOTES =
  'Nothing bounds what its weights tell of the notes that it was trained on, which must be public.';

/** What the weights of a model with a representation tell, by what is stated of its training. */
export function weightsTell({ objective }: Facts): string {
  return objective === POOLED ? WEIGHTS_OF_REPRESENTATION : WEIGHTS_OF_NOTES;
}

/** Of a pipeline whose de-identifier reads words beside the vectors of its representation. */
export const READS_BOTH =
  'It reads words beside the vectors of its representation, and learned from notes in clear: nothing bounds what its ' +
  'weights tell of them. Keep it where these notes are; no registry takes it.';

/**
 * Of a pipeline without a representation, by what is stated of its training. An ε bounds something where several
 * trained together; beside another objective it is a fact like others, of which nothing is known.
 */
export function readsText({ objective, epsilon }: Facts): string {
  return objective === FEDERATED && epsilon !== undefined ? READS_TEXT_PRIVATELY : READS_TEXT;
}

const BY_VALIDATION = 'Validation notes ended the training: on other notes it may do worse.';
const BY_HELD_OUT =
  'Of notes that one of those who trained it held out: on other notes, and those of others, it may do worse.';

const BY_OWN =
  'Validation notes of one’s own ended the training: on other notes it may do worse, and so it may where the snapshot ' +
  'held releases of these, which it then learned from.';

/** How far the scores of a manifest go. */
export function scoresNote({ objective, [READ_IN_CLEAR]: own }: Facts): string {
  if (objective === FEDERATED) return BY_HELD_OUT;
  return own === undefined ? BY_VALIDATION : BY_OWN;
}

/** What is stated of a pipeline that read so many notes beside the releases that it learned from. */
export const READ_IN_CLEAR = 'notes read in clear';

/** The objective of a pipeline that learned from releases. */
const POOLED = 'pooled';
/** The objective of a model that several trained together, each on notes at home. */
export const FEDERATED = 'federated';
