import { requireLoopback } from '../loopback.js';
import type { Reader } from './page.js';
import type { Readers } from './readers.js';

const THIS_MACHINE: Reader = { name: 'this machine' };

/** Whoever sits at this machine reads the pages; whatever name its address is given by others, they do not. */
export const LOOPBACK_READERS: Readers = {
  readerOf(request) {
    requireLoopback(request);
    return THIS_MACHINE;
  },
  admit: () => undefined,
};
