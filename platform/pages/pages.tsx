import type { VNode } from 'preact';

interface PagesProps {
  /** What part of the whole is shown, such as `51 – 100 of 240`. */
  readonly here?: string | undefined;
  /** Links; undefined at the end. */
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
}

/** The ways from a page of a long list to those beside it; nothing where all stands on one. */
export function Pages({ here, previous, next }: PagesProps): VNode | null {
  if (previous === undefined && next === undefined) return null;
  return (
    <nav class="pages" aria-label="Pages">
      <ul>
        {previous !== undefined && (
          <li>
            <a href={previous} rel="prev">
              Previous
            </a>
          </li>
        )}
        {here !== undefined && <li>{here}</li>}
        {next !== undefined && (
          <li>
            <a href={next} rel="next">
              Next
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}
