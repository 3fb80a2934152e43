import type { VNode } from 'preact';
import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { type FormAction, formAction, type Page, page } from '../../http/pages/page.js';
import {
  CHANGERS,
  changeStatus,
  LONGEST_REASON,
  requireOwner,
  statusReason,
} from '../model-changes.js';
import { StatusNotice } from './model-status.js';
import { modelHref, PLACES } from './places.js';
import type { RegistryReading } from './registry-reading.js';

interface StatusChange {
  readonly path: string;
  readonly status: 'deprecated' | 'revoked';
  readonly verb: string;
  readonly button: string;
  /** What it does, before it is done. */
  readonly effect: VNode;
}

export const DEPRECATION: StatusChange = {
  path: PLACES.deprecation,
  status: 'deprecated',
  verb: 'Deprecate',
  button: 'Deprecate it',
  effect: (
    <p>
      Everyone who asks for this model is told that its publisher advises against it, and why. Who
      has it may go on with it, and encoders do not refuse it.
    </p>
  ),
};

export const REVOCATION: StatusChange = {
  path: PLACES.revocation,
  status: 'revoked',
  verb: 'Revoke',
  button: 'Revoke it for good',
  effect: (
    <p>
      Tacet fetches this model no more, and every encoder that asks this registry refuses to use it.{' '}
      <strong>That is for good: a revoked model stays revoked.</strong> What was encoded with it
      stays where it is. Everyone who asks for it is told why.
    </p>
  ),
};

/** Asks whether a model is to be deprecated or revoked, and why. */
export function statusPage({ store }: RegistryReading, change: StatusChange): Page {
  const { path, verb, button, effect } = change;
  return page({
    path,
    roles: CHANGERS,
    show: async ({ params: { name, version }, token }) => {
      const model = await store.models.get(name, version);
      const href = modelHref(model);
      if (model.version !== version || model.status === 'revoked') return href;
      requireOwner([model], name, token);
      return {
        title: `${verb} ${name} ${version}?`,
        body: (
          <>
            <Breadcrumbs
              steps={[
                { text: 'Models', href: PLACES.models },
                { text: `${name} ${version}`, href },
              ]}
              here={verb}
            />
            <StatusNotice {...model} />
            {effect}
            <form method="post" action={`${href}${path.slice(PLACES.model.length)}`}>
              <label for="reason">Why, for everyone who asks for the model</label>
              <input
                id="reason"
                name="reason"
                required
                maxLength={LONGEST_REASON}
                autocomplete="off"
              />
              <div class="actions">
                <button type="submit" class="danger">
                  {button}
                </button>
                <a href={href}>No, leave it as it is</a>
              </div>
            </form>
          </>
        ),
      };
    },
  });
}

/** Deprecates or revokes a model, as its page said, and leads back to it. */
export function statusForm({ store }: RegistryReading, { path, status }: StatusChange): FormAction {
  return formAction({
    path,
    roles: CHANGERS,
    form: statusReason,
    submit: async ({ params: { name, version }, form, token }) =>
      modelHref(await changeStatus(store, { name, version, status, ...form }, token)),
  });
}
