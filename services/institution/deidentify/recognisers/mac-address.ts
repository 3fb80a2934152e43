import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

/** IEEE 802: six octets, between colons or hyphens, or three groups of four between dots. */
const SHAPES: readonly Shape[] = [
  {
    pattern: 'six octets',
    expression:
      /(?<![\p{L}\p{N}:-])[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}(?![\p{L}\p{N}]|[:-][\p{L}\p{N}])/giu,
    score: 0.6,
  },
  {
    pattern: 'three groups of four',
    expression:
      /(?<![\p{L}\p{N}.])(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}(?![\p{L}\p{N}]|\.[\p{L}\p{N}])/giu,
    score: 0.3,
  },
];

/** Of a device on a network. */
export const MAC_ADDRESS: Recogniser = {
  name: 'MacAddressRecognizer',
  type: 'MAC_ADDRESS',
  context: ['mac', 'hardware', 'ethernet'],
  find: (text) => matchesOf(text, SHAPES),
};
