import type { VNode } from 'preact';
import { Badge } from '../../../platform/pages/badge.js';
import { Notice } from '../../../platform/pages/notice.js';
import type { Model } from '../../../pool-store/models/models.js';

const KINDS = { published: 'good', deprecated: 'warn', revoked: 'danger' } as const;

/** How the registry stands to a model, in a word. */
export function StatusBadge({ status }: Pick<Model, 'status'>): VNode {
  return <Badge kind={KINDS[status]}>{status}</Badge>;
}

/** What to know first of a model that was deprecated or revoked; nothing of others. */
export function StatusNotice({ status, reason }: Pick<Model, 'status' | 'reason'>): VNode | null {
  if (status === 'published') return null;
  const isRevoked = status === 'revoked';
  return (
    <Notice kind={isRevoked ? 'danger' : undefined}>
      <p>
        <strong>
          {isRevoked
            ? 'Revoked, for good: encoders refuse this model.'
            : 'Deprecated: its publisher advises against it. Who has it may go on.'}
        </strong>
      </p>
      <p>
        Why: <bdi>{reason ?? 'no reason is stated'}</bdi>
      </p>
    </Notice>
  );
}
