import { encode } from '../../../../services/institution/release/encode.js';
import type { EncodeOptions } from '../../../../services/institution/release/encode-options.js';

/** As `encode`, with entities kept as they are. */
export function encodeKept(
  source: Parameters<typeof encode>[0],
  model: Parameters<typeof encode>[1],
  home: string,
  options: EncodeOptions = {},
): ReturnType<typeof encode> {
  return encode(source, model, home, { entities: 'kept', ...options });
}
