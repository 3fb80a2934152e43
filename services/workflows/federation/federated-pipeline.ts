import path from 'node:path';
import { describeBundle } from '../../../models/bundle/describe.js';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { saveForBundle, UNSIGNED_FILES } from '../../../models/bundle/unsigned-bundle.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { mapTypes } from '../../../models/evaluation/map-types.js';
import { deidentifierConfig } from '../../../models/federation/text-networks.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import type { Document } from '../../../models/text/document.js';
import { documentsDigest } from '../../../models/text/documents-digest.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { TacetError } from '../../../proto/errors.js';
import { statedTagging } from '../../../study/measures/validation-scores.js';
import { deidentifierScores } from '../../../study/runs/deidentifier-scores.js';
import { requireUnseen } from '../../../study/runs/unseen.js';
import type { Context } from '../context.js';
import { requireNone } from '../require-none.js';
import { readLabelled } from '../train/run-material.js';
import type { UnsignedBundle } from '../train/unsigned-bundle.js';
import { federatedStatement } from './federated-statement.js';
import { type FederationResult, readResult } from './federation-result.js';
import { requireAgreed } from './local-part.js';

export interface FederatedPipelineRequest {
  /** Of a worker whose federation is over. */
  readonly home: string;
  readonly embeddings: string;
  readonly scheme: string;
  readonly out: string;
  readonly name: string;
  readonly version: string;
  /** BCP 47. */
  readonly language?: string | undefined;
  /** Labelled notes that nobody trained on. */
  readonly heldOut?: string | undefined;
  /** Beside these, the notes that the worker trained on. */
  readonly corpus?: string | undefined;
}

/**
 * Writes what `tacet bundle create` signs, a pipeline on text, of what a worker has when its federation is over. No entity
 * of a note is in it. Throws `file-not-found` before that, `file-exists` for files in `out` that it would write over, `model-unsuitable` for a tagger that no bundle holds,
 * `config-invalid` for other labels, word vectors or notes than those that were trained on, `usage` for held-out notes
 * beside which these are not named, and `corpus-invalid` for one that is among them.
 */
export async function federatedPipeline(
  { home, out, name, version, language, heldOut, corpus, ...files }: FederatedPipelineRequest,
  { signal, progress }: Pick<Context, 'signal' | 'progress'>,
): Promise<{ readonly bundle: UnsignedBundle; readonly scores: Manifest['scores'] }> {
  await requireNone(out, UNSIGNED_FILES);
  const { arrays, ...result } = await readResult(home);
  const { plan } = result;
  if (plan.network !== 'deidentifier')
    throw new TacetError(
      'model-unsuitable',
      `${home}: a pipeline holds the de-identifier, and this is the tagger ${plan.network}: its weights can be scored ` +
        '(join --held-out) and kept, and nothing more; begin a federation with --network deidentifier for a pipeline',
    );
  const scheme = loadLabelScheme(files.scheme);
  requireAgreed('label scheme', scheme.digest, plan.scheme);
  const read = (notes: string) => readLabelled(notes, scheme, signal);
  const notes = heldOut === undefined ? [] : await read(heldOut);
  if (heldOut !== undefined) requireUnseen(await learnedNotes(corpus, home, result, read), notes);
  const embeddings = await openEmbeddings(files.embeddings, { signal, progress });
  requireAgreed('word vectors', embeddings.identity, plan.embeddings);
  const vocabulary = new Vocabulary(embeddings);
  const deidentifier = Deidentifier.fromWeights(deidentifierConfig(scheme, vocabulary), arrays);
  try {
    const held = notes.map((document) => mapTypes(document, scheme));
    const tagger = { deidentifier, vocabulary, scheme };
    const scores =
      held.length === 0
        ? {}
        : statedTagging(
            await deidentifierScores(tagger, held, { signal, progress }),
            'held-out notes',
          );
    const described = describeBundle(
      { deidentifier },
      {
        ...{ name, version, scheme, embeddings, scores },
        embeddingsName: path.basename(files.embeddings),
        training: federatedStatement(result, language),
      },
    );
    const saved = await saveForBundle(out, described);
    return { bundle: { kind: described.fields.kind, ...saved }, scores };
  } finally {
    deidentifier.dispose();
  }
}

async function learnedNotes(
  corpus: string | undefined,
  home: string,
  { documents, notes }: Pick<FederationResult, 'documents' | 'notes'>,
  read: (notes: string) => Promise<readonly Document[]>,
): Promise<readonly Document[]> {
  if (corpus === undefined)
    throw new TacetError(
      'usage',
      '--held-out: none of these notes may be one that was trained on; name those of join beside them (--corpus)',
    );
  if (notes === undefined)
    throw new TacetError(
      'config-invalid',
      `${home} does not say which notes it was trained on, as of an earlier version: no note is known to be unseen; ` +
        'leave --held-out out, or begin another federation',
    );
  const learned = await read(corpus);
  if (notes === documentsDigest(learned) && learned.length === documents) return learned;
  throw new TacetError(
    'config-invalid',
    `${corpus}: not the notes that ${home} was trained on (${learned.length} of them; expected the same ${documents}); ` +
      'name the --corpus of join',
  );
}
