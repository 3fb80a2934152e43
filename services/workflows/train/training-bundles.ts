import path from 'node:path';
import { describeBundle, type PublishedNetworks } from '../../../models/bundle/describe.js';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { saveForBundle } from '../../../models/bundle/unsigned-bundle.js';
import { whyUnpublishable } from '../../../models/networks/representation-config.js';
import { createInventory } from '../../../models/surrogates/create-inventory.js';
import type { InventoryFile } from '../../../models/surrogates/inventory.js';
import { corpusStatement, unlabelledStatement } from '../../../models/training/corpus-statement.js';
import type { PreparedNotes } from '../../../models/training/recipes.js';
import { metricsFile } from '../../../models/training/run/metrics-file.js';
import { trainingStatement, validationLosses } from '../../../models/training/statement.js';
import { TacetError } from '../../../proto/errors.js';
import type { Material } from '../../../study/runs/subject.js';
import type { Outcome } from './training-kinds.js';
import type { TrainingTask } from './training-task.js';
import type { UnsignedBundle } from './unsigned-bundle.js';

/** Below the directory of a run whose own files are those of its representation. */
const PIPELINE = 'pipeline';
const SUFFIX = '-pipeline';
/** Of a bundle's name, as its manifest may have it. */
const MOST_CHARACTERS = 63;

/**
 * Writes what can be published of a run: its representation, and its de-identifier as a pipeline.
 * Nothing where the representation cannot be published (`whyUnpublishable`), and no pipeline where the de-identifier
 * reads casing beside what is released.
 */
export async function saveBundles(
  { representation, deidentifier, stages }: Outcome,
  task: TrainingTask,
  notes: PreparedNotes,
  measured: Manifest['scores'],
): Promise<UnsignedBundle[]> {
  if (representation && whyUnpublishable(representation.config)) return [];
  const { training, config, directory, material, unlabelled, name, version } = task;
  const beside = unlabelled && notes.unlabelled;
  const publication = {
    ...{ name, version, ...publishedMaterial(material) },
    training: {
      ...corpusStatement(material, notes),
      ...(beside && unlabelledStatement(unlabelled, beside)),
      ...trainingStatement(training.kind, config),
    },
    scores: { ...measured, ...validationLosses(stages) },
  };
  const save = async (
    folder: string,
    networks: PublishedNetworks,
    called: string,
    inventory: InventoryFile | undefined,
  ) => {
    const described = describeBundle(networks, { ...publication, name: called });
    const files = await saveForBundle(folder, { ...described, inventory });
    return { kind: described.fields.kind, ...files, metrics: metricsFile(directory) };
  };
  if (!representation)
    return [await save(directory, { deidentifier }, name, await commonEntities(material))];
  const inventory = await publicEntities(material);
  const pipeline = path.join(directory, PIPELINE);
  const alone = await save(directory, { representation }, name, inventory);
  if (deidentifier.config.casingInClear) return [alone];
  return [
    alone,
    await save(pipeline, { representation, deidentifier }, pipelineName(name), inventory),
  ];
}

/**
 * Of their language alone: what reads the text itself is trained on a house's own notes too, and whatever stands in an
 * inventory is in the bundle in clear and is put into other notes. Undefined where the language has none.
 */
async function commonEntities({
  scheme,
  language,
}: Pick<Material, 'scheme' | 'language'>): Promise<InventoryFile | undefined> {
  if (language === undefined) return undefined;
  try {
    return await createInventory(scheme, { languages: [language] });
  } catch (error) {
    if (error instanceof TacetError && error.code === 'inventory-invalid') return undefined;
    throw error;
  }
}

/** Of the notes that a representation was trained on, which are public, and of their language. */
export function publicEntities({
  scheme,
  corpusName,
  documents,
  language,
}: Pick<Material, 'scheme' | 'corpusName' | 'documents' | 'language'>): Promise<InventoryFile> {
  return createInventory(scheme, {
    corpora: [{ name: corpusName, documents }],
    languages: language === undefined ? [] : [language],
  });
}

/** What the pipeline of a run is called whose representation is called `name`. */
function pipelineName(name: string): string {
  return `${name.slice(0, MOST_CHARACTERS - SUFFIX.length)}${SUFFIX}`;
}

function publishedMaterial({ scheme, embeddings, embeddingsName }: Omit<Material, 'heldOut'>) {
  return { scheme, embeddings, embeddingsName };
}
