import { resolve } from 'node:path';
import { TacetError } from '../../../proto/errors.js';
import type { ServiceClient } from '../../client/client.js';
import { isSameServer } from '../../client/same-server.js';
import type { ModelIdentity } from '../bundles/encoding-model.js';
import { type ApprovalGrounds, approveModel } from './model-approval.js';
import { lastAnswer, originOf, rememberOrigin } from './model-origin.js';
import type { ModelStatus } from './model-status.js';

/** How registries are reached. */
export interface RegistryAccess {
  /** Address of the one that was named; without it, the one that a model came from is asked. */
  readonly registry?: string | undefined;
  /** File of the token that was given, to remember where it was. */
  readonly tokenFile?: string | undefined;
  /** A client with the token that was given for this very server, or else with that of `tokenFile`. */
  connect(address: string, tokenFile: string | null): Promise<ServiceClient>;
}

/** For a line to people. */
type Say = (line: string) => void;

/**
 * The grounds to approve `model` on: the registry that was named, or else the one that the model came
 * from, whose silence is said and not an error.
 */
export async function registryGrounds(
  model: ModelIdentity,
  grounds: ApprovalGrounds,
  { registry, connect }: RegistryAccess,
  say: Say,
): Promise<ApprovalGrounds> {
  const name = `${model.name} ${model.version}`;
  if (registry !== undefined) return grounds;
  const origin = await originOf(model.digest);
  if (!origin) {
    if (!grounds.policy?.requireRevocationCheck)
      say(`${name}: no registry is known to ask whether it was revoked; name one with --registry`);
    return grounds;
  }
  const onSilence = ({ code }: TacetError) => say(lastAnswer(name, origin, code));
  try {
    const client = await connect(origin.registry, origin.tokenFile);
    return { ...grounds, registry: client, onSilence };
  } catch (error) {
    // The file of the token may be gone.
    if (!(error instanceof TacetError) || grounds.policy?.requireRevocationCheck) throw error;
    onSilence(error);
    return grounds;
  }
}

/**
 * Approves `model` as `approveModel` does, and where there is `access`, remembers what its registry says.
 * Returns the grounds, to ask again.
 */
export async function approveByRegistry(
  model: ModelIdentity,
  given: ApprovalGrounds,
  access: RegistryAccess | undefined,
  { say, signal }: { readonly say: Say; readonly signal: AbortSignal },
): Promise<ApprovalGrounds> {
  const grounds = access ? await registryGrounds(model, given, access, say) : given;
  try {
    const status = await approveModel(model, grounds, signal);
    if (status) await rememberStatus(model, access, status);
    if (status?.status === 'deprecated')
      say(`${status.name} ${status.version} is deprecated by its publisher: ${status.reason}`);
    return grounds;
  } catch (error) {
    if (error instanceof TacetError && error.code === 'model-revoked')
      await rememberStatus(model, access, { status: 'revoked', reason: error.message });
    throw error;
  }
}

async function rememberStatus(
  { digest }: ModelIdentity,
  access: RegistryAccess | undefined,
  status: Pick<ModelStatus, 'status' | 'reason'>,
): Promise<void> {
  if (!access) return;
  const { registry, tokenFile } = access;
  const origin = await originOf(digest);
  const address = registry ?? origin?.registry;
  if (address === undefined) return;
  const isGiven = registry !== undefined && tokenFile !== undefined;
  const known = origin && isSameServer(origin.registry, address) ? origin.tokenFile : null;
  await rememberOrigin(digest, address, isGiven ? resolve(tokenFile) : known, status);
}
