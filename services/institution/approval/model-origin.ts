/**
 * Which registry a model came from, and what that registry last said of it: so a revocation is noticed
 * although no command names the registry again. Kept by the bundle's digest in the user's state folder,
 * since a file in the bundle would not be signed.
 */

import { join } from 'node:path';
import { readState, writeState } from '../../../platform/files/state-file.js';
import { stateFolder } from '../../../platform/user-folders.js';
import { TacetError } from '../../../proto/errors.js';
import { PUBLICATION_STATUSES } from '../../../proto/publication.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject, ofType, oneOf, type TypeOf } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';
import type { RegisteredModel } from '../../client/registered-model.js';

const ORIGIN = closedObject({
  registry: Type.String({ minLength: 1 }),
  /** Absolute path of the file with the token that it was asked with; never the token. */
  tokenFile: ofType('string', 'null'),
  answer: closedObject({
    status: oneOf(PUBLICATION_STATUSES),
    reason: ofType('string', 'null'),
    /** ISO 8601. */
    time: Type.String({ minLength: 1 }),
  }),
});
export type ModelOrigin = TypeOf<typeof ORIGIN>;

const parseOrigin = validator(ORIGIN, 'config-invalid', 'what is remembered of a model');

/** Undefined where no registry ever gave the model, or was asked about it. */
export function originOf(digest: string): Promise<ModelOrigin | undefined> {
  return readState(fileOf(digest), parseOrigin);
}

export function rememberOrigin(
  digest: string,
  registry: string,
  tokenFile: string | null,
  { status, reason }: Pick<RegisteredModel, 'status' | 'reason'>,
): Promise<void> {
  const answer = { status, reason, time: new Date().toISOString() };
  return writeState(fileOf(digest), { registry, tokenFile, answer });
}

/**
 * What is known of a model whose registry is silent now, for people. Throws `model-revoked` where it
 * said so before.
 */
export function lastAnswer(model: string, { registry, answer }: ModelOrigin, why: string): string {
  const age = `${ageOf(answer.time)} ago (${answer.time})`;
  if (answer.status === 'revoked')
    throw new TacetError(
      'model-revoked',
      `${model} was revoked, as ${registry} said ${age}: ${answer.reason ?? 'no reason'}; fetch another model`,
    );
  return `${registry} gave no answer (${why}): whether ${model} was revoked since it said no, ${age}, is not known`;
}

const MINUTE_MS = 60_000;
const UNITS = [
  ['minute', 1],
  ['hour', 60],
  ['day', 24 * 60],
] as const;

/** `3 days`, in the largest unit of which there are two. */
function ageOf(time: string): string {
  const minutes = Math.max(0, (Date.now() - Date.parse(time)) / MINUTE_MS);
  const [unit, size] = UNITS.findLast(([, size]) => minutes >= 2 * size) ?? UNITS[0];
  const count = Math.floor(minutes / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function fileOf(digest: string): string {
  return join(stateFolder(), 'models', `${digest}.json`);
}
