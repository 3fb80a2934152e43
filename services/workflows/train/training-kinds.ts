import type { Deidentifier } from '../../../models/networks/deidentifier.js';
import type { Representation } from '../../../models/networks/representation.js';
import type { Estimate } from '../../../models/statistics/estimate.js';
import type { LabelScheme } from '../../../models/text/label-scheme.js';
import type { TrainingConfig } from '../../../models/training/configuration/config.js';
import type { RunStatistics } from '../../../models/training/data/phi-statistics.js';
import {
  type PreparedNotes,
  trainAdversarial,
  trainAugmented,
  trainByGradientReversal,
  trainCertifiedRepresentation,
  trainPseudonymised,
  trainRaw,
} from '../../../models/training/recipes.js';
import type { StageResult } from '../../../models/training/run/stage.js';
import type { StageContext } from '../../../models/training/run/stage-context.js';
import type { TrainedNetwork } from '../../../models/training/run/trained-networks.js';
import type { Objective } from '../../../models/training/statement.js';
import type { ThreePhaseNetworks } from '../../../models/training/three-phase-data.js';
import { TacetError } from '../../../proto/errors.js';

/** What a kind of training ends with: its networks and how each stage went. */
export interface Outcome {
  readonly networks: Readonly<Record<string, TrainedNetwork>>;
  /** Where there is one, it can be published. */
  readonly representation?: Representation;
  /** The one that was trained on its releases, or on the text where there is none. */
  readonly deidentifier: Deidentifier;
  readonly stages: Readonly<Record<string, StageResult>>;
  /** Where PHI moves. */
  readonly statistics?: RunStatistics;
  /** Of pairs that any adversary can be right about, where the noise depends on the input. */
  readonly limit?: Estimate;
}

type Recipe = (
  notes: PreparedNotes,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
) => Promise<Outcome>;

/** A kind of `tacet train` on labelled notes. */
export interface Training {
  readonly kind: Objective;
  readonly summary: string;
  readonly recipe: Recipe;
  /** Whether it has a general objective, and may learn from text without labels. */
  readonly isGeneral?: boolean;
}

export const TRAININGS: readonly Training[] = [
  {
    kind: 'raw',
    summary: 'the non-private de-identifier, on the notes as they are',
    recipe: async (...input) => {
      const { deidentifier, stage } = await trainRaw(...input);
      return { networks: { deidentifier }, deidentifier, stages: { supervised: stage } };
    },
  },
  {
    kind: 'pseudonymized',
    summary: 'the de-identifier on automatically pseudonymised notes',
    recipe: async (...input) => {
      const { deidentifier, stage, statistics } = await trainPseudonymised(...input);
      return {
        networks: { deidentifier },
        deidentifier,
        stages: { supervised: stage },
        statistics,
      };
    },
  },
  {
    kind: 'augmented',
    summary: 'the non-private de-identifier, on the notes and fresh pseudonymised copies',
    recipe: async (...input) => {
      const { deidentifier, stage, statistics } = await trainAugmented(...input);
      return {
        networks: { deidentifier },
        deidentifier,
        stages: { supervised: stage },
        statistics,
      };
    },
  },
  {
    kind: 'adversarial',
    summary: 'the private representation, by three-phase adversarial training',
    recipe: async (...input) => privateOutcome(await trainAdversarial(...input)),
    isGeneral: true,
  },
  {
    kind: 'dann',
    summary: 'the private representation, by gradient reversal (the paper’s baseline)',
    recipe: async (...input) => privateOutcome(await trainByGradientReversal(...input)),
  },
  {
    kind: 'certified',
    summary: 'the private representation, by P1 and then the certified objective',
    recipe: async (...input) => privateOutcome(await trainCertifiedRepresentation(...input)),
    isGeneral: true,
  },
];

function privateOutcome({
  representation,
  deidentifier,
  adversary,
  ...rest
}: ThreePhaseNetworks & Omit<Outcome, 'networks'>): Outcome {
  const networks = { representation, deidentifier, adversary };
  return { ...rest, networks, representation, deidentifier };
}

/** Throws `config-invalid` where notes are not trained on in that way. */
export function trainingOf(kind: string): Training {
  const found = TRAININGS.find((each) => each.kind === kind);
  if (found) return found;
  const known = TRAININGS.map((each) => each.kind).join(', ');
  throw new TacetError(
    'config-invalid',
    `there is no kind of training '${kind}'; expected ${known}`,
  );
}
