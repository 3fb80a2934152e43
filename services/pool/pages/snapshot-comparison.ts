import { DIGEST } from '../../../proto/schemas.js';
import { closedObject } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';
import { type Page, page } from '../../http/pages/page.js';
import { SNAPSHOT_READERS } from '../roles.js';

const choice = validator(closedObject({ other: DIGEST }), 'request-invalid', 'the query');

/** Where the form that chooses a second snapshot leads. */
export function snapshotComparison(): Page {
  return page({
    path: '/snapshots/{id}/compare',
    roles: SNAPSHOT_READERS,
    query: choice,
    show: ({ params, query }) => `/snapshots/${params.id}/diff/${query.other}`,
  });
}
