import type { ComponentChildren, VNode } from 'preact';

interface FigureProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A drawing under its title; several stand side by side in `.charts`. */
export function Figure({ title, children }: FigureProps): VNode {
  return (
    <figure>
      <figcaption>{title}</figcaption>
      {children}
    </figure>
  );
}
