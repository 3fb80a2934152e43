import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { type ManifestFields, parseManifestFields } from '../../models/bundle/manifest.js';
import { noiseOf } from '../../models/bundle/noise.js';
import { joinParts } from '../../models/bundle/parts.js';
import { saveForBundle, UNSIGNED_FILES } from '../../models/bundle/unsigned-bundle.js';
import { Representation } from '../../models/networks/representation.js';
import type { RepresentationConfig } from '../../models/networks/representation-config.js';
import { hasRun } from '../../models/training/run/run-directory.js';
import { NETWORKS_FILE, saveNetworks } from '../../models/training/run/trained-networks.js';
import { type PrivateObjective, trainingStatement } from '../../models/training/statement.js';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { isThere } from '../../platform/files/is-there.js';
import { textIfThere } from '../../platform/files/optional-file.js';
import { TacetError } from '../../proto/errors.js';
import { requireJson } from '../../proto/json-text.js';
import { networksOfRun, openFinishedRun } from '../runs/finished-run.js';
import { withoutLimit } from './validation-scores.js';

const METRICS = 'metrics.jsonl';
const MANIFEST = 'manifest.json';

/**
 * A finished run once more, with σ_out multiplied: what the same training with that
 * `outputNoiseFactor` would have ended with. It can be measured, audited and frozen as any run can.
 * Throws `file-not-found` where the run has no representation, `file-exists`, `not-certified` where its noise depends
 * on the input, `bundle-invalid` where its manifest is damaged.
 */
export async function amplifyRun(source: string, factor: number, target: string): Promise<void> {
  const run = await openFinishedRun(source);
  const { configs, weights } = await networksOfRun(run);
  if (!configs.representation)
    throw new TacetError(
      'file-not-found',
      `${source}: the kind ${run.kind} has no representation, so that there is no noise to multiply`,
    );
  await requireNoRunOrBundle(target);
  const { directory: _, epochs: __, config, ...identity } = run;
  const amplified = { ...config, outputNoiseFactor: config.outputNoiseFactor * factor };
  const representation = Representation.fromWeights(
    configs.representation as unknown as RepresentationConfig,
    weights.representation,
  );
  try {
    representation.amplifyOutputNoise(factor);
    const fields = await manifestOf(source);
    const louder = representation.parameters.toArrays();
    const objective = run.kind as PrivateObjective;
    const training = {
      ...fields.training,
      ...trainingStatement(objective, amplified),
    };
    const record = `${JSON.stringify({ ...identity, ...amplified }, null, 2)}\n`;
    await writeAtomically(path.join(target, 'config.json'), record);
    await copyFile(path.join(source, METRICS), path.join(target, METRICS));
    await saveForBundle(target, {
      fields: {
        ...fields,
        training,
        noise: noiseOf(representation),
        scores: withoutLimit(fields.scores),
      },
      weights: joinParts({ representation: louder }),
    });
    await saveNetworks(target, { configs, weights: { ...weights, representation: louder } });
  } finally {
    representation.dispose();
  }
}

async function manifestOf(directory: string): Promise<ManifestFields> {
  const text = await textIfThere(path.join(directory, MANIFEST));
  if (text === undefined)
    throw new TacetError(
      'file-not-found',
      `${directory} lacks ${MANIFEST}, which tacet train leaves beside the weights; train it again`,
    );
  const fault = `${path.join(directory, MANIFEST)}: expected JSON; train it again`;
  return parseManifestFields(requireJson(text, 'bundle-invalid', fault));
}

async function requireNoRunOrBundle(directory: string): Promise<void> {
  const held = [NETWORKS_FILE, ...UNSIGNED_FILES].map((name) =>
    isThere(path.join(directory, name)),
  );
  if ((await hasRun(directory)) || (await Promise.all(held)).includes(true))
    throw new TacetError(
      'file-exists',
      `${directory} already holds a run or a bundle, or parts of one: choose another directory`,
    );
}
