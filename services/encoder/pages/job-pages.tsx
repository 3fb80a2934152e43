import { Badge } from '../../../platform/pages/badge.js';
import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { Time } from '../../../platform/pages/time.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import { type FormAction, formAction, type Page, page } from '../../http/pages/page.js';
import { sendEvents } from '../encoder-routes.js';
import type { EncoderService } from '../encoder-service.js';
import type { JobState, JobView } from '../jobs.js';
import { JobReport } from './job-report.js';
import { JobStanding } from './job-standing.js';
import { SCRIPT } from './script.js';

const JOB = '/jobs/{id}';

/** Every job that is remembered, the newest first. */
export function jobsPage({ jobs }: EncoderService): Page {
  return page({
    path: '/jobs',
    show: () => ({
      title: 'Jobs',
      body: (
        <WideTable
          name="Jobs"
          columns={[
            {
              heading: 'Job',
              rowHeading: true,
              cell: ({ id }) => <a href={`/jobs/${id}`}>{id}</a>,
            },
            { heading: 'Begun', cell: ({ created }) => <Time iso={created} /> },
            { heading: 'State', cell: ({ state }) => <StateBadge state={state} /> },
          ]}
          rows={jobs.list().toReversed()}
          empty={
            <p>
              None yet. <a href="/share">Look at what would leave</a> first.
            </p>
          }
        />
      ),
    }),
  });
}

/** How far a job is, and what it came to. */
export function jobPage(service: EncoderService): Page {
  return page({
    path: JOB,
    show: ({ params }) => {
      const view = service.jobs.view(params.id as string);
      return {
        title: 'Job',
        scripts: view.ended === null ? [SCRIPT] : [],
        body: (
          <>
            <Breadcrumbs steps={[{ text: 'Jobs', href: '/jobs' }]} here={view.id} />
            <p>
              <StateBadge state={view.state} /> begun <Time iso={view.created} />
            </p>
            <JobStanding view={view} />
            {view.state === 'done' && <JobReport report={view.report} />}
            <JobActions service={service} view={view} />
          </>
        ),
      };
    },
  });
}

/** Each change of a job, for the page that shows it. */
export function jobEvents({ jobs }: EncoderService): Page {
  return page({
    path: `${JOB}/events`,
    streams: true,
    show: async ({ params, signal, response }) => {
      const { id } = jobs.view(params.id as string);
      await sendEvents(jobs.follow(id, signal), response);
      return undefined;
    },
  });
}

/** To cancel a job, and to let leave what a dry run looked at. */
export function jobForms(service: EncoderService): FormAction[] {
  return [
    formAction({
      path: `${JOB}/cancel`,
      submit: ({ params }) => `/jobs/${service.jobs.cancel(params.id as string).id}`,
    }),
    formAction({
      path: `${JOB}/release`,
      submit: async ({ params }) =>
        `/jobs/${(await service.releaseDryRun(params.id as string)).id}`,
    }),
  ];
}

function JobActions({
  service,
  view: { id, ended, state },
}: {
  readonly service: EncoderService;
  readonly view: JobView;
}) {
  if (ended === null)
    return (
      <form method="post" action={`/jobs/${id}/cancel`} class="actions">
        <button type="submit" class="quiet">
          Cancel
        </button>
        <span class="hint">What has left stays released.</span>
      </form>
    );
  if (state !== 'done' || !service.isDryRun(id)) return null;
  return (
    <form method="post" action={`/jobs/${id}/release`} class="actions">
      <button type="submit">Encode these notes</button>
      <span class="hint">
        Into the outbox; <code>tacet contribute</code> brings them to a pool.
      </span>
    </form>
  );
}

const BADGES: Readonly<Record<JobState, 'danger' | 'good' | 'warn' | undefined>> = {
  waiting: undefined,
  running: undefined,
  done: 'good',
  failed: 'danger',
  cancelled: 'warn',
  interrupted: 'warn',
};

function StateBadge({ state }: { readonly state: JobState }) {
  return <Badge kind={BADGES[state]}>{state}</Badge>;
}
