import { encodeWith } from './encode-with.js';

/** As `encode`, with entities kept as they are. */
export const encodeKept = encodeWith({ entities: 'kept' });
