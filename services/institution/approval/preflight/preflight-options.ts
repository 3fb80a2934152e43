import type { InventoryFile } from '../../../../models/surrogates/inventory.js';
import type { Progress } from '../../../../platform/progress.js';
import type { EntityTreatment } from '../../../../proto/entity-treatment.js';
import type { ServiceClient } from '../../../client/client.js';
import type { Approval } from '../approval.js';
import type { RegistryAccess } from '../registry-grounds.js';

export interface PreflightOptions
  extends Pick<Approval, 'trust' | 'registry' | 'audits'>,
    Partial<Pick<Approval, 'policy'>> {
  /** The representation bundle. */
  readonly model: string;
  readonly embeddings: string;
  /** Labelled notes of the institution, to see how well the model fits them. */
  readonly notes?: string | undefined;
  /** Whether de-identifiers are trained on these notes, which takes minutes. */
  readonly trial?: boolean | undefined;
  readonly home: string;
  /** Replaced unless asked otherwise, or by the policy. */
  readonly entities?: EntityTreatment | undefined;
  /** Types whose entities would be kept all the same. */
  readonly keptTypes?: readonly string[] | undefined;
  /** What would replace them; the model's own by default. */
  readonly inventory?: InventoryFile | undefined;
  /** Whether encoding would make the home where there is none. */
  readonly mayMakeHome?: boolean | undefined;
  /** Whether it was named as one that has released nothing. */
  readonly isNewHome?: boolean | undefined;
  /** Finds the registry that the model came from, where none was given. */
  readonly access?: RegistryAccess | undefined;
  readonly pool?: { readonly url: string; readonly client: ServiceClient } | undefined;
  readonly backend?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}
