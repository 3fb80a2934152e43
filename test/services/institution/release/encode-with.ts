import { encode } from '../../../../services/institution/release/encode.js';
import type { EncodeOptions } from '../../../../services/institution/release/job/encode-options.js';

/** `encode` with other defaults. */
export function encodeWith(defaults: EncodeOptions): typeof encode {
  return (source, model, home, options = {}) =>
    encode(source, model, home, { ...defaults, ...options });
}
