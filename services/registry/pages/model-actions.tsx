import type { VNode } from 'preact';
import type { Model } from '../../../pool-store/models/models.js';
import { modelHref } from './places.js';

/** The ways to what its publisher and an administrator can change of a model. */
export function ModelActions({ model }: { readonly model: Model }): VNode {
  const href = modelHref(model);
  return (
    <>
      <h2>Change it</h2>
      <div class="actions">
        <a class="button quiet" href={`${href}/alias`}>
          Set an alias
        </a>
        {model.status !== 'revoked' && (
          <>
            <a class="button quiet" href={`${href}/deprecate`}>
              {model.status === 'deprecated' ? 'Change why it is deprecated' : 'Deprecate'}
            </a>
            <a class="button quiet" href={`${href}/revoke`}>
              Revoke
            </a>
          </>
        )}
      </div>
    </>
  );
}
