import { resolve } from 'node:path';
import { TacetError } from '../../proto/errors.js';
import { type ApprovalGrounds, approveModel } from '../institution/approval/model-approval.js';
import { lastAnswer, originOf, rememberOrigin } from '../institution/approval/model-origin.js';
import type { ModelStatus } from '../institution/approval/model-status.js';
import type { ModelIdentity } from '../institution/bundles/encoding-model.js';
import type { Context } from '../workflows/context.js';
import { clientFor, type TokenOptions } from './credentials.js';

export interface RegistryChoice extends TokenOptions {
  readonly registry?: string;
}

/**
 * The grounds to approve `model` on: the registry that the options name, or else the one that the model
 * came from, whose silence is said and not an error.
 */
export async function groundsFor(
  model: ModelIdentity,
  grounds: ApprovalGrounds,
  { registry, token, tokenFile }: RegistryChoice,
  say: Context['say'],
): Promise<ApprovalGrounds> {
  const name = `${model.name} ${model.version}`;
  if (registry !== undefined) return grounds;
  const origin = await originOf(model.digest);
  if (!origin) {
    if (!grounds.policy?.requireRevocationCheck)
      say(`${name}: no registry is known to ask whether it was revoked; name one with --registry`);
    return grounds;
  }
  const silent = ({ code }: TacetError) => say(lastAnswer(name, origin, code));
  try {
    const given = {
      ...(token !== undefined && { token }),
      ...(tokenFile !== undefined && { tokenFile }),
    };
    const remembered = origin.tokenFile === null ? {} : { tokenFile: origin.tokenFile };
    const client = await clientFor(
      origin.registry,
      token === undefined && tokenFile === undefined ? remembered : given,
    );
    return { ...grounds, registry: client, silent };
  } catch (error) {
    // The file of the token may be gone.
    if (!(error instanceof TacetError) || grounds.policy?.requireRevocationCheck) throw error;
    silent(error);
    return grounds;
  }
}

/**
 * Approves `model` as `approveModel` does, and remembers what its registry says. Returns the grounds, to
 * ask again.
 */
export async function approve(
  model: ModelIdentity,
  grounds: ApprovalGrounds,
  choice: RegistryChoice,
  { say, signal }: Pick<Context, 'say' | 'signal'>,
): Promise<ApprovalGrounds> {
  const asked = await groundsFor(model, grounds, choice, say);
  try {
    const status = await approveModel(model, asked, signal);
    if (status) await remember(model, choice, status);
    if (status?.status === 'deprecated')
      say(`${status.name} ${status.version} is deprecated by its publisher: ${status.reason}`);
    return asked;
  } catch (error) {
    if (error instanceof TacetError && error.code === 'model-revoked')
      await remember(model, choice, { status: 'revoked', reason: error.message });
    throw error;
  }
}

async function remember(
  { digest }: ModelIdentity,
  { registry, tokenFile }: RegistryChoice,
  status: Pick<ModelStatus, 'status' | 'reason'>,
): Promise<void> {
  const origin = await originOf(digest);
  const address = registry ?? origin?.registry;
  if (address === undefined) return;
  const file = tokenFile === undefined ? (origin?.tokenFile ?? null) : resolve(tokenFile);
  await rememberOrigin(digest, address, file, status);
}
