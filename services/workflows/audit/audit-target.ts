import { type Patient, patientOf } from '../../../models/attacks/attributes/patient.js';
import type { AuditTarget } from '../../../models/attacks/target.js';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import { Random } from '../../../models/tensor/random.js';
import { keptTogether, originsOf } from '../../../models/text/corpus/kept-together.js';
import type { Document } from '../../../models/text/document.js';
import { type TextExample, textExamples } from '../../../models/training/data/examples.js';
import { requireOrigins, splitDocuments } from '../../../models/training/data/split.js';
import { phiWords } from '../../../models/training/recipes.js';
import type { Progress } from '../../../platform/progress.js';
import type { EncodingModel } from '../../institution/bundles/encoding-model.js';
import type { EncodedCopy } from './encoded-notes.js';
import { noteLinesOf } from './note-lines.js';
import { type PlacedSentence, placedSentences } from './placed-sentences.js';
import { replacedEntitiesIn } from './replaced-entities.js';
import type { SharedReleases } from './shared-releases.js';
import { strangersAmong } from './strangers.js';

interface TargetOptions {
  readonly seed: number;
  readonly neighbours: number;
  /**
   * The documents before their entities were replaced, in their order: by these it is told which belong together, since
   * surrogates make near copies differ. By default as they are.
   */
  readonly given?: readonly Document[] | undefined;
  /** Where documents come from, if they come from several institutions. */
  readonly institutions?: ReadonlyMap<Document, string> | undefined;
  /** Of each document whose entities were replaced, all copies of it that were encoded, itself first. */
  readonly copies?: ReadonlyMap<Document, readonly EncodedCopy[]> | undefined;
  /** Whether what a second reader found is replaced in these, too. */
  readonly readAgain?: boolean | undefined;
  /** The provider's training notes, to tell members from strangers. */
  readonly members?: readonly Document[] | undefined;
  /** The releases that are about to be shared, of as many of the test sentences as have one. */
  readonly releasesOf?: ((examples: readonly TextExample[]) => Promise<SharedReleases>) | undefined;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/**
 * Splits an auditor's notes by document: 60 % to attack with, 10 % to stop by, 30 % to measure on. Throws
 * `corpus-invalid` where they are of fewer than three origins, and as `strangersAmong`.
 */
export async function auditTarget(
  {
    representation,
    vocabulary,
    scheme,
  }: Pick<EncodingModel, 'vocabulary' | 'scheme'> & Pick<AuditTarget, 'representation'>,
  documents: readonly Document[],
  options: TargetOptions,
): Promise<AuditTarget> {
  const { seed, neighbours, institutions, copies, readAgain, members, releasesOf } = options;
  const { given = documents, signal, progress } = options;
  const random = new Random(seed).fork('audit');
  requireOrigins(keptTogether(given), 3, 'notes of the audit');
  const { train: rest, validation: measured } = splitDocuments(given, 0.3, random);
  const { notes: test, leftOut } = strangersAmong(measured, members ?? []);
  const { train, validation } = splitDocuments(rest, 1 / 7, random);
  const encoded = new Map(given.map((note, i) => [note, documents[i] as Document]));
  const encodedOf = (part: readonly Document[]) =>
    part.map((note) => encoded.get(note) as Document);
  const examplesOf = (part: readonly Document[]) => textExamples(part, scheme, vocabulary);
  const placed = {
    // What an attacker learns from is one copy of each note.
    train: placedSentences(encodedOf(train), examplesOf),
    validation: placedSentences(encodedOf(validation), examplesOf),
    test: placedSentences(encodedOf(test), examplesOf, copies),
  };
  const inOrder = Object.values(placed).flat();
  const examplesIn = (part: readonly PlacedSentence[]) => part.map(({ example }) => example);
  const parts = {
    train: examplesIn(placed.train),
    validation: examplesIn(placed.validation),
    test: examplesIn(placed.test),
  };
  const ofSentences = <V>(valueIn: (sentence: PlacedSentence) => V) =>
    new Map(inOrder.map((sentence) => [sentence.example, valueIn(sentence)] as const));
  /** What `valuesOf` gives for the sentences of a document, each document asked once. */
  const byDocument = <V>(valuesOf: (document: Document) => readonly V[]) => {
    const known = new Map<Document, readonly V[]>();
    return ofSentences(({ document, ordinal }) => {
      const values = known.get(document) ?? valuesOf(document);
      known.set(document, values);
      return values[ordinal] as V;
    });
  };
  const known = members && examplesOf(members);
  const shared = releasesOf && (await releasesOf(parts.test));
  const released = shared?.vectors;
  const words = phiWords(parts.train, parts.validation, parts.test, known ?? []);
  const candidates = await findCandidates(vocabulary, words, neighbours, { signal, progress });
  const copyOf = new Map([...(copies?.values() ?? [])].flat().map((copy) => [copy.document, copy]));
  const patients = new Map<Document, Patient>();
  return {
    representation,
    vocabulary,
    candidates,
    labels: scheme.labels,
    ...parts,
    origins: originsOf(test),
    test: released ? parts.test.filter((example) => released.has(example)) : parts.test,
    released,
    pieces: shared && shared.pieces.size > 0 ? shared.pieces : undefined,
    partlyReleased: shared?.partial.size,
    unreleased: released && examplesIn(placed.test.filter((each) => isUnreleased(each, released))),
    institutions: institutions && ofSentences(({ note }) => institutions.get(note) ?? ''),
    lines: byDocument((document) => noteLinesOf(document, scheme)),
    patients: ofSentences(({ document }) => {
      const patient = patients.get(document) ?? patientOf(document);
      patients.set(document, patient);
      return patient;
    }),
    replaced:
      copies &&
      byDocument((document) => {
        const copy = copyOf.get(document) ?? { document, stoodFor: [] };
        return replacedEntitiesIn(copy, scheme, vocabulary);
      }),
    furtherCopies: copies && new Set(examplesIn(placed.test.filter(isFurtherCopy))),
    readAgain,
    members: known,
    memberOrigins: members && originsOf(members),
    membersLeftOut: leftOut,
  };
}

function isFurtherCopy({ document, note }: PlacedSentence): boolean {
  return document !== note;
}

/** A further copy that none is of may never have been made: not every job makes as many. */
function isUnreleased(
  sentence: PlacedSentence,
  released: ReadonlyMap<TextExample, Float32Array>,
): boolean {
  return !isFurtherCopy(sentence) && !released.has(sentence.example);
}
