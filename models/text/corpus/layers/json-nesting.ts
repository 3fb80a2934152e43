import { TacetError } from '../../../../proto/errors.js';
import { withBetweenStrings } from '../../../../proto/json-text.js';

/** No format here nests more; what lies deeper cannot be written again, for each level takes some of the stack. */
const MAX_DEPTH = 256;

/** Throws `corpus-invalid` where lists and objects of a JSON text, or of lines of some, lie deeper than that. */
export function requireModestNesting(json: string, origin: string): void {
  let depth = 0;
  withBetweenStrings(json, (between) => {
    for (const character of between) {
      if (character === '[' || character === '{') depth++;
      else if (character === ']' || character === '}') depth--;
      if (depth > MAX_DEPTH)
        throw new TacetError(
          'corpus-invalid',
          `${origin}: lists and objects lie deeper than ${MAX_DEPTH}; expected fewer in each other`,
        );
    }
    return between;
  });
}
