import type { ComponentChildren, VNode } from 'preact';

export type Fact = readonly [what: string, value: ComponentChildren];

/** What is known of a thing, each fact beside its name. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }): VNode {
  return (
    <dl class="facts">
      {facts.map(([what, value]) => (
        <>
          <dt>{what}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
