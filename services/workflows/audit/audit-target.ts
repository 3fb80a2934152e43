import { type Patient, patientOf } from '../../../models/attacks/inversion/patient.js';
import type { AuditTarget } from '../../../models/attacks/target.js';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import { Random } from '../../../models/tensor/random.js';
import type { Document } from '../../../models/text/document.js';
import { type TextExample, textExamples } from '../../../models/training/examples.js';
import { phiWords } from '../../../models/training/recipes.js';
import { splitOff } from '../../../models/training/split.js';
import type { Progress } from '../../../platform/progress.js';
import type { EncodingModel } from '../../institution/bundles/encoding-model.js';
import { noteLinesOf } from './note-lines.js';
import { replacedEntitiesIn } from './replaced-entities.js';

interface TargetOptions {
  readonly seed: number;
  readonly neighbours: number;
  /** Where documents come from, if they come from several institutions. */
  readonly institutions?: ReadonlyMap<Document, string> | undefined;
  /** Of each document whose entities were replaced, the document as it was given. */
  readonly originals?: ReadonlyMap<Document, Document> | undefined;
  /** The provider's training notes, to tell members from strangers. */
  readonly members?: readonly Document[] | undefined;
  /** The releases that are about to be shared, of as many of the test sentences as have one. */
  readonly releasesOf?:
    | ((examples: readonly TextExample[]) => Promise<ReadonlyMap<TextExample, Float32Array>>)
    | undefined;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Splits an auditor's notes by document: 60 % to attack with, 10 % to stop by, 30 % to measure on. */
export async function auditTarget(
  {
    representation,
    vocabulary,
    scheme,
  }: Pick<EncodingModel, 'vocabulary' | 'scheme'> & Pick<AuditTarget, 'representation'>,
  documents: readonly Document[],
  options: TargetOptions,
): Promise<AuditTarget> {
  const { seed, neighbours, institutions, originals, members, releasesOf } = options;
  const { signal, progress } = options;
  const random = new Random(seed).fork('audit');
  const { train: rest, validation: test } = splitOff(documents, 0.3, random);
  const { train, validation } = splitOff(rest, 1 / 7, random);
  const examplesOf = (part: readonly Document[]) => textExamples(part, scheme, vocabulary);
  const split = { train, validation, test };
  const parts = {
    train: examplesOf(train),
    validation: examplesOf(validation),
    test: examplesOf(test),
  };
  const names = Object.keys(parts) as (keyof typeof parts)[];
  const from = new Map(
    names.flatMap((part) =>
      parts[part].map((example) => [example, split[part][example.documentIndex]] as const),
    ),
  );
  const ofSentences = <V>(valuesOf: (document: Document) => readonly V[]) =>
    new Map(
      names.flatMap((part) => {
        const values = split[part].flatMap(valuesOf);
        return parts[part].map((example, i) => [example, values[i]] as const);
      }),
    );
  const known = members && examplesOf(members);
  const released = releasesOf && (await releasesOf(parts.test));
  const words = phiWords(parts.train, parts.validation, parts.test, known ?? []);
  const candidates = await findCandidates(vocabulary, words, neighbours, { signal, progress });
  const patients = patientsOf(documents);
  return {
    representation,
    vocabulary,
    candidates,
    labels: scheme.labels,
    ...parts,
    test: released ? parts.test.filter((example) => released.has(example)) : parts.test,
    released,
    unreleased: released && parts.test.filter((example) => !released.has(example)),
    institutions: institutions && mapValues(from, (document) => institutions.get(document) ?? ''),
    lines: ofSentences((document) => noteLinesOf(document, scheme)),
    patients: mapValues(from, (document) => patients.get(document) ?? {}),
    replaced:
      originals &&
      ofSentences((document) => {
        const original = originals.get(document) ?? document;
        return replacedEntitiesIn(document, original, scheme, vocabulary);
      }),
    members: known,
  };
}

function mapValues<K, V, W>(map: ReadonlyMap<K, V>, to: (value: V) => W): Map<K, W> {
  return new Map([...map].map(([key, value]) => [key, to(value)]));
}

function patientsOf(documents: readonly Document[]): Map<Document, Patient> {
  return new Map(documents.map((document) => [document, patientOf(document)]));
}
