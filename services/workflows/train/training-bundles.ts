import path from 'node:path';
import { describeBundle, type PublishedNetworks } from '../../../models/bundle/describe.js';
import { type Manifest, MOST_NAME_CHARACTERS } from '../../../models/bundle/manifest.js';
import { saveForBundle, UNSIGNED_FILES } from '../../../models/bundle/unsigned-bundle.js';
import { whyUnpublishable } from '../../../models/networks/representation-config.js';
import { createInventory } from '../../../models/surrogates/create-inventory.js';
import type { InventoryFile } from '../../../models/surrogates/inventory.js';
import { corpusStatement, unlabelledStatement } from '../../../models/training/corpus-statement.js';
import type { PreparedNotes } from '../../../models/training/recipes.js';
import { metricsFile } from '../../../models/training/run/metrics-file.js';
import { hasRun } from '../../../models/training/run/run-directory.js';
import { trainingStatement, validationLosses } from '../../../models/training/statement.js';
import { type ErrorCode, TacetError } from '../../../proto/errors.js';
import type { Material } from '../../../study/runs/subject.js';
import { requireNone } from '../require-none.js';
import type { Outcome } from './training-kinds.js';
import type { TrainingTask } from './training-task.js';
import type { UnsignedBundle } from './unsigned-bundle.js';

/** Below the directory of a run whose own files are those of its representation. */
const PIPELINE = 'pipeline';
const SUFFIX = '-pipeline';
/** Of what no bundle can hold or state. */
const UNSTATABLE: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['bundle-invalid', 'not-certified', 'inventory-invalid', 'label-unknown'] as const),
]);

/** What can be published of a run. */
export interface SavedBundles {
  readonly bundles: readonly UnsignedBundle[];
  /** For people: which bundle there is not, and why; none where all are there. */
  readonly unbundled?: string | undefined;
}

/** Throws `file-exists` for a bundle in a directory where no run was begun, which the end of one would write over. */
export async function requireNoBundles(directory: string): Promise<void> {
  if (await hasRun(directory)) return;
  for (const folder of [directory, path.join(directory, PIPELINE)])
    await requireNone(folder, UNSIGNED_FILES);
}

/**
 * Writes what can be published of a run: its representation, and its de-identifier as a pipeline.
 * Nothing where the representation cannot be published (`whyUnpublishable`), no pipeline where the de-identifier
 * reads casing beside what is released, and neither where no manifest can state it.
 */
export async function saveBundles(
  { representation, deidentifier, stages }: Outcome,
  task: TrainingTask,
  notes: PreparedNotes,
  measured: Manifest['scores'],
): Promise<SavedBundles> {
  const why = representation && whyUnpublishable(representation.config);
  if (why !== undefined) return { bundles: [], unbundled: `no bundle: ${why}` };
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
  const bundles: UnsignedBundle[] = [];
  try {
    if (!representation) {
      const inventory = await commonEntities(material);
      bundles.push(await save(directory, { deidentifier }, name, inventory));
      return { bundles };
    }
    const inventory = await publicEntities(material);
    bundles.push(await save(directory, { representation }, name, inventory));
    if (deidentifier.config.casingInClear)
      return {
        bundles,
        unbundled: 'no pipeline: its de-identifier reads casing, which no release holds',
      };
    const networks = { representation, deidentifier };
    const pipeline = path.join(directory, PIPELINE);
    bundles.push(await save(pipeline, networks, pipelineName(name), inventory));
    return { bundles };
  } catch (error) {
    if (!(error instanceof TacetError && UNSTATABLE.has(error.code))) throw error;
    const what = bundles.length === 0 ? 'bundle' : 'pipeline';
    return { bundles, unbundled: `no ${what}: ${error.code}: ${error.message}` };
  }
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
  return `${name.slice(0, MOST_NAME_CHARACTERS - SUFFIX.length)}${SUFFIX}`;
}

function publishedMaterial({ scheme, embeddings, embeddingsName }: Omit<Material, 'heldOut'>) {
  return { scheme, embeddings, embeddingsName };
}
