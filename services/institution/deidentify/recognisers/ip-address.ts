import { isIPv4, isIPv6 } from 'node:net';
import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

/** RFC 4291, section 2.2. Shorter ones, such as `::`, name nobody. */
const LEAST_IPV6 = 7;

const SHAPES: readonly Shape[] = [
  {
    pattern: 'IPv4 address',
    expression: /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?!\d|\.\d)/gu,
    score: 0.6,
    check: (match) => isIPv4(match.replace(/:.*/u, '')),
  },
  {
    pattern: 'IPv6 address',
    expression: /(?<![\p{L}\p{N}:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\p{L}\p{N}:])/giu,
    score: 0.8,
    check: (match) => match.length >= LEAST_IPV6 && isIPv6(match),
  },
];

export const IP_ADDRESS: Recogniser = {
  name: 'IpRecognizer',
  type: 'IP_ADDRESS',
  context: ['ip', 'ipv4', 'ipv6'],
  find: (text) => matchesOf(text, SHAPES),
};
