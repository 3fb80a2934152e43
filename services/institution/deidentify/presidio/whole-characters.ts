import { loneSurrogate } from '../../../../models/text/corpus/code-points.js';
import { TacetError } from '../../../../proto/errors.js';

/** Throws `request-invalid` where a text holds what no UTF-8 can: an operator would change it. */
export function requireWholeCharacters(text: string): void {
  const offset = loneSurrogate(text);
  if (offset < 0) return;
  throw new TacetError(
    'request-invalid',
    `the text holds half of a surrogate pair at offset ${offset}; expected whole characters`,
  );
}
