import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readSafetensors, writeSafetensors } from '../../../models/bundle/safetensors.js';
import type { NamedArrays } from '../../../models/networks/named-arrays.js';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { readJsonFile } from '../../../platform/files/json-file.js';
import { readFailure } from '../../../platform/system-error.js';
import { sha256Hex } from '../../../proto/digest.js';
import { TacetError } from '../../../proto/errors.js';
import { FEDERATION_PLAN, FEDERATION_TAKEN } from '../../../proto/federation-plan.js';
import { DIGEST, NAME, NATURAL } from '../../../proto/schemas.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject, type TypeOf } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';

const WEIGHTS_FILE = 'weights.safetensors';
const RESULT_FILE = 'result.json';

const RESULT = closedObject({
  worker: NAME,
  plan: FEDERATION_PLAN,
  /** As the coordinator says it. */
  taken: FEDERATION_TAKEN,
  /** Notes of this worker. */
  documents: NATURAL,
  /** `documentsDigest` of these; absent where an earlier version trained on them. */
  notes: Type.Optional(DIGEST),
  /** SHA-256 of the file of the weights. */
  weights: DIGEST,
});

/** What a worker has when a federation is over, beside the weights. */
export type FederationResult = TypeOf<typeof RESULT>;

const parse = validator(RESULT, 'checkpoint-invalid', `${RESULT_FILE} of the federation`);

/** Leaves the weights and what they come from in the home of a worker; returns the file of the weights. */
export async function writeResult(
  home: string,
  weights: NamedArrays,
  stated: Omit<FederationResult, 'weights'>,
): Promise<string> {
  const file = path.join(home, WEIGHTS_FILE);
  const bytes = writeSafetensors(weights);
  await writeAtomically(file, bytes, { isPrivate: true });
  const result: FederationResult = { ...stated, weights: sha256Hex(bytes) };
  await writeAtomically(path.join(home, RESULT_FILE), `${JSON.stringify(result, null, 1)}\n`, {
    isPrivate: true,
  });
  return file;
}

/**
 * Throws `file-not-found` where no federation came to its end in the home, and `checkpoint-invalid` where its files do not
 * belong together.
 */
export async function readResult(
  home: string,
): Promise<FederationResult & { readonly arrays: NamedArrays }> {
  const what =
    'result of a federation; tacet federation join writes it when the federation is over';
  const stated = { what, code: 'checkpoint-invalid' } as const;
  const result = parse(await readJsonFile(path.join(home, RESULT_FILE), stated));
  const file = path.join(home, WEIGHTS_FILE);
  const bytes = await readFile(file).catch((error: unknown) => {
    throw readFailure(error, file);
  });
  if (sha256Hex(bytes) !== result.weights)
    throw new TacetError(
      'checkpoint-invalid',
      `${file}: not the weights that ${RESULT_FILE} states; run tacet federation join again`,
    );
  return { ...result, arrays: readSafetensors(bytes) };
}
