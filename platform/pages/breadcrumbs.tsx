import type { VNode } from 'preact';

export interface Step {
  readonly text: string;
  readonly href: string;
}

interface BreadcrumbsProps {
  /** From the outermost on. */
  readonly steps: readonly Step[];
  /** The page that is shown. */
  readonly here: string;
}

/** Where a page lies, with a way back to each page that it lies in. */
export function Breadcrumbs({ steps, here }: BreadcrumbsProps): VNode {
  return (
    <nav class="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        {steps.map(({ text, href }) => (
          <li>
            <a href={href}>{text}</a>
          </li>
        ))}
        <li aria-current="page">{here}</li>
      </ol>
    </nav>
  );
}
