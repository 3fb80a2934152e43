import type { Representation } from './representation.js';

/**
 * What is seen of a sentence: noise in, a function of all its word vectors, noise out. A published
 * representation is one; an audit compares it with views that show everything or nothing.
 */
export type View = Pick<
  Representation,
  'inputDimension' | 'embed' | 'mean' | 'forward' | 'inputStddev' | 'outputStddev'
> & {
  readonly config: { readonly dimension: number };
};
