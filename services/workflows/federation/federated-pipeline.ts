import path from 'node:path';
import { describeBundle } from '../../../models/bundle/describe.js';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { saveForBundle } from '../../../models/bundle/unsigned-bundle.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { mapTypes } from '../../../models/evaluation/map-types.js';
import { deidentifierConfig } from '../../../models/federation/text-networks.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { TacetError } from '../../../proto/errors.js';
import { statedTagging } from '../../../study/measures/validation-scores.js';
import { deidentifierScores } from '../../../study/runs/deidentifier-scores.js';
import type { Context } from '../context.js';
import { readLabelled } from '../train/run-material.js';
import type { UnsignedBundle } from '../train/unsigned-bundle.js';
import { federatedStatement } from './federated-statement.js';
import { readResult } from './federation-result.js';
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
}

/**
 * Writes what `tacet bundle create` signs, a pipeline on text, of what a worker has when its federation is over. No entity
 * of a note is in it. Throws `file-not-found` before that, `model-unsuitable` for a tagger that no bundle holds, and
 * `config-invalid` for other labels or word vectors than those that were trained on.
 */
export async function federatedPipeline(
  { home, out, name, version, language, heldOut, ...files }: FederatedPipelineRequest,
  { signal, progress }: Pick<Context, 'signal' | 'progress'>,
): Promise<{ readonly bundle: UnsignedBundle; readonly scores: Manifest['scores'] }> {
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
  const notes = heldOut === undefined ? [] : await readLabelled(heldOut, scheme, signal);
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
