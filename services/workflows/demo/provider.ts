import path from 'node:path';
import { createBundle } from '../../../models/bundle/bundle.js';
import { describeBundle } from '../../../models/bundle/describe.js';
import { readPrivateKey } from '../../../models/bundle/key-files.js';
import type { NamedArrays } from '../../../models/networks/named-arrays.js';
import { corpusStatement } from '../../../models/training/corpus-statement.js';
import {
  prepareNotes,
  trainAdversarial,
  trainCertifiedRepresentation,
} from '../../../models/training/recipes.js';
import {
  stageLines,
  trainingStatement,
  validationLosses,
} from '../../../models/training/statement.js';
import { validationScores } from '../../../study/validation-scores.js';
import { publish } from '../../client/publish.js';
import { publicEntities } from '../training-bundles.js';
import { type DemoSetting, stageContext } from './setting.js';

export interface PublishedRepresentation {
  /** The bundle's directory at the provider. */
  readonly bundle: string;
  readonly name: string;
  readonly version: string;
  readonly digest: string;
  /** The adversary at the freeze: where the audit goes on. */
  readonly adversary: NamedArrays;
}

/** The provider trains on public notes, freezes, signs and publishes. */
export async function provide(setting: DemoSetting): Promise<PublishedRepresentation> {
  const { parts, scheme, embeddings, embeddingsName, corpusName, config, narrator, servers } =
    setting;
  const context = stageContext(setting, 'representation');
  const notes = prepareNotes(parts.provider, scheme, embeddings, config, context);
  const train =
    setting.objective === 'adversarial' ? trainAdversarial : trainCertifiedRepresentation;
  const trained = await train(notes, scheme, config, context);
  narrator.tell(`${stageLines(trained.stages).join('; ')}.`);
  const measured = await validationScores(trained, { notes, scheme, config }, setting.context);
  const identity = { name: 'demo-representation', version: '1.0.0' };
  const { fields, weights } = describeBundle(
    { representation: trained.representation },
    {
      ...identity,
      scheme,
      embeddings,
      embeddingsName,
      training: {
        ...corpusStatement({ corpusName, documents: parts.provider }, notes),
        ...trainingStatement(setting.objective, config),
      },
      scores: { ...measured, ...validationLosses(trained.stages) },
    },
  );
  const bundle = path.join(setting.directory, 'provider', 'representation');
  const key = await readPrivateKey(setting.publisher.privateKeyFile);
  const inventory = await publicEntities({ scheme, corpusName, documents: parts.provider });
  const digest = await createBundle(bundle, { fields, weights, inventory }, key);
  await publish(bundle, servers.registry('provider'), setting.context);
  const adversary = trained.adversary.parameters.toArrays();
  for (const network of [trained.representation, trained.deidentifier, trained.adversary]) {
    network.dispose();
  }
  return { bundle, ...identity, digest, adversary };
}
