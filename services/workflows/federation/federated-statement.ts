import type { Facts } from '../../../models/bundle/manifest.js';
import { OWN_DOCUMENTS } from '../../../models/bundle/trained-on.js';
import { FEDERATED } from '../../../models/bundle/uses.js';
import { privacyFor } from '../../../models/federation/private-training.js';
import { localConfigOf } from '../../../models/federation/text-networks.js';
import type { FederationPlan } from '../../../proto/federation-plan.js';
import type { FederationResult } from './federation-result.js';

const NO_PROMISE =
  'nothing; the coordinator saw changes of weights, which hold words of notes, and so did other workers, alone or in sums';
const PRIVATE_PROMISE =
  'differential privacy of one note more or less of a worker, in all changes of weights that left it, as far as its own ' +
  'program and --home kept to the plan; apart from how many notes it had, how long an epoch took and what rounding of ' +
  'floats tells; less for a patient with several notes, nothing for notes that the first weights learned from';

type Result = Omit<FederationResult, 'weights'>;

/** What a manifest says of a network that several trained together. */
export function federatedStatement(
  { plan, worker, taken, documents }: Result,
  language: string | undefined,
): Facts {
  const { publicNotes } = plan;
  return {
    objective: FEDERATED,
    ...(language !== undefined && { language }),
    corpus: `notes of ${plan.workers.length} workers, each at home`,
    [OWN_DOCUMENTS]: documents,
    procedure: plan.procedure,
    ...(plan.procedure === 'selective' && { 'network of': worker }),
    publisher: worker,
    'took part, as the coordinator says': plan.workers
      .map((name) => participation(plan, name, taken[name]))
      .join(', '),
    ...(publicNotes && {
      'first weights learned from': `${publicNotes.documents} public notes, for ${publicNotes.epochs} epochs`,
    }),
    ...trainingFacts(plan),
    ...(plan.averaging !== undefined && {
      'a round leaves of the average of weights': plan.averaging,
    }),
    seed: plan.seed,
  };
}

function participation(
  { procedure, epochs, workers }: FederationPlan,
  name: string,
  last: number | undefined,
): string {
  if (last === undefined) return `${name} (never)`;
  if (procedure === 'selective') return `${name} (${last} of ${epochs} epochs)`;
  const rounds = procedure === 'round-robin' ? epochs * workers.length : epochs;
  return `${name} (round ${last} of ${rounds} was its last)`;
}

function trainingFacts(plan: FederationPlan): Facts {
  const { procedure, network, epochs, guarantee } = plan;
  if (guarantee) {
    const { noiseMultiplier, learningRate, samplingRate, clipNorm } = privacyFor(
      ...([guarantee, epochs, plan.learningRate] as const),
    );
    return {
      'epochs of each worker': epochs,
      optimiser: 'DP-SGD, with the step of Adam',
      'learning rate': learningRate,
      'sampling rate': samplingRate,
      'norm of a note at most': clipNorm,
      'noise multiplier': noiseMultiplier,
      ...guarantee,
      promised: PRIVATE_PROMISE,
    };
  }
  const { optimiser, loss } = localConfigOf(procedure, network, plan);
  return {
    'epochs of each worker': epochs,
    optimiser: optimiser.kind,
    'learning rate': optimiser.learningRate,
    'loss of a note': loss,
    promised: NO_PROMISE,
  };
}
