import type { TacetError } from '../../../proto/errors.js';
import { problemOf } from '../../../proto/problem.js';
import type { Shown } from './page.js';

/** An error as a person is told of it. */
export function problemPage(error: TacetError): Shown {
  const { title, status, detail, code } = problemOf(error);
  return {
    title: `${title[0].toUpperCase()}${title.slice(1)}`,
    status,
    body: (
      <>
        <p class="notice danger" role="alert">
          {detail}
        </p>
        <p>
          <a href="/">Back to the start</a> <span class="hint">{`${status} ${code}`}</span>
        </p>
      </>
    ),
  };
}
