import { encodeWith } from './encode-with.js';

/** As `encode`, with sentences that leave whole however few notes have their labels. */
export const encodeWhole = encodeWith({ labelDocuments: 1 });
