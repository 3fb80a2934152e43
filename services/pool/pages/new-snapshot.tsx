import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { SNAPSHOT_FILTER, type SnapshotFilter } from '../../../pool-store/snapshots/snapshot.js';
import type { Store } from '../../../pool-store/store.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject, type TypeOf } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';
import { type FormAction, formAction, type Page, page } from '../../http/pages/page.js';
import { requireReserve } from '../../http/upload-admission.js';
import { SNAPSHOT_MAKERS } from '../roles.js';
import { namedModels } from './model-name.js';
import type { PoolPagesSetting } from './pool-setting.js';
import { SnapshotForm } from './snapshot-form.js';

const DAY = Type.String({ pattern: '^(\\d{4}-\\d{2}-\\d{2})?$' });

const FORM = closedObject({
  model: Type.String({ maxLength: 64 }),
  entities: Type.String({ maxLength: 20 }),
  /** Names, apart by spaces, commas or lines. */
  institutions: Type.String({ maxLength: 100_000 }),
  from: DAY,
  until: DAY,
});

const form = validator(FORM, 'request-invalid', 'the form');
const filter = validator(SNAPSHOT_FILTER, 'request-invalid', 'the snapshot');

const MOST_MODELS = 100;

/** Asks what a new snapshot is to hold. */
export function newSnapshotPage(store: Store): Page {
  return page({
    path: '/snapshots/new',
    roles: SNAPSHOT_MAKERS,
    show: async () => ({
      title: 'Create a snapshot',
      body: (
        <>
          <Breadcrumbs steps={[{ text: 'Snapshots', href: '/snapshots' }]} here="Create" />
          <p>
            It freezes what the pool holds now of what you choose, of one model. The same
            contributions give the same snapshot.
          </p>
          <SnapshotForm
            models={
              await namedModels(store, await store.contributionIndex.models(undefined, MOST_MODELS))
            }
          />
        </>
      ),
    }),
  });
}

export function snapshotCreation({ store, limits }: PoolPagesSetting): FormAction {
  return formAction({
    path: '/snapshots',
    roles: SNAPSHOT_MAKERS,
    form,
    async submit({ form: fields }) {
      requireReserve(store, limits);
      const { id } = await store.snapshots.create(filterOf(fields));
      return `/snapshots/${id}`;
    },
  });
}

/** Fields that say nothing choose nothing. */
function filterOf({
  model,
  entities,
  institutions,
  from,
  until,
}: TypeOf<typeof FORM>): SnapshotFilter {
  const names = institutions.split(/[\s,]+/).filter((name) => name !== '');
  return filter({
    ...(model !== '' && { model }),
    ...(entities !== '' && { entities }),
    ...(names.length > 0 && { institutions: names }),
    ...(from !== '' && { from: `${from}T00:00:00Z` }),
    ...(until !== '' && { until: `${until}T00:00:00Z` }),
  });
}
