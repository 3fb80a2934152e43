import type { VNode } from 'preact';
import { Notice } from '../../../platform/pages/notice.js';
import type { Problem } from '../../../proto/problem.js';
import type { JobView } from '../jobs.js';

/** How far a job is, or why it did not come to its end. */
export function JobStanding({
  view: { id, ended, progress, problem },
}: {
  readonly view: JobView;
}): VNode | null {
  if (problem) {
    const { detail, code } = problem as Problem;
    return (
      <Notice kind="danger">
        <p>{detail}</p>
        <p class="hint">{code}</p>
      </Notice>
    );
  }
  if (ended !== null) return null;
  return (
    <div data-follows="events">
      <progress
        aria-label="Progress"
        value={progress?.total ? progress.done : undefined}
        max={progress?.total}
      />
      <p role="status">
        {progress
          ? `${progress.step}: ${progress.done} of ${progress.total ?? '?'}`
          : 'Waiting for its turn.'}
      </p>
      <p class="hint">
        <a href={`/jobs/${id}`}>Load the page again</a> to see how far it is.
      </p>
    </div>
  );
}
