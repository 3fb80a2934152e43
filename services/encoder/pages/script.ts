/** The browser module of the encoder's pages: files that are dropped, progress that moves, text that is copied. */
export const SCRIPT = 'encoder.js';
