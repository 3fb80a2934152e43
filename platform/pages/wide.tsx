import type { ComponentChildren, VNode } from 'preact';

interface WideProps {
  /** What those who hear the page are told that it is. */
  readonly name: string;
  readonly children: ComponentChildren;
}

/** What scrolls by itself where it is wider than the page, also by keyboard. */
export function Wide({ name: label, children }: WideProps): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard only where it can have the focus
    <section class="wide" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
