import type { ComponentChildren, VNode } from 'preact';

interface HeadProps {
  readonly title: string;
  /** What this form of page needs besides: its style, its policy. */
  readonly children?: ComponentChildren;
}

/** What stands in the head of every page; no page says to another where a reader came from. */
export function Head({ title, children }: HeadProps): VNode {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="referrer" content="no-referrer" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      {children}
    </head>
  );
}
