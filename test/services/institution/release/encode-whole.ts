import { encode } from '../../../../services/institution/release/encode.js';
import type { EncodeOptions } from '../../../../services/institution/release/encode-options.js';

/** As `encode`, with sentences that leave whole however few notes have their labels. */
export function encodeWhole(
  source: Parameters<typeof encode>[0],
  model: Parameters<typeof encode>[1],
  home: string,
  options: EncodeOptions = {},
): ReturnType<typeof encode> {
  return encode(source, model, home, { labelDocuments: 1, ...options });
}
