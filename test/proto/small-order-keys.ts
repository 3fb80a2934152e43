import { createPublicKey, type KeyObject } from 'node:crypto';

/** Affine x and y on the curve -x² + y² = 1 + d x² y² (RFC 8032, section 5.1). */
type Point = readonly [bigint, bigint];

const p = 2n ** 255n - 19n;
const mod = (n: bigint) => ((n % p) + p) % p;
const d = mod(-121665n * inverse(121666n));

/**
 * All encodings of all points whose order divides 8, found by computing: [8]P is the neutral element.
 * Those of y and y + p, where that fits into 255 bits, and of both signs, also of x = 0.
 */
export function smallOrderKeys(): Buffer[] {
  const ys = new Set(torsion().map(([, y]) => y));
  const found = [...ys].flatMap((y) => [y, y + p]).filter((y) => y < 2n ** 255n);
  return found.flatMap((y) => [encoded(y), encoded(y + 2n ** 255n)]);
}

/** A key that OpenSSL takes and Tacet must not. */
export function unsoundKey(raw: Uint8Array): KeyObject {
  const x = Buffer.from(raw).toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** Multiples of a point of order 8: a point of the curve, times the order of the large subgroup. */
function torsion(): Point[] {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  for (let y = 2n; ; y++) {
    const x = root(mod((y * y - 1n) * inverse(d * y * y + 1n)));
    if (x === undefined) continue;
    const generator = times(order, [x, y]);
    const all = Array.from({ length: 8 }, (_, i) => times(BigInt(i), generator));
    if (new Set(all.map(String)).size === 8) return all;
  }
}

function add([x1, y1]: Point, [x2, y2]: Point): Point {
  const product = mod(d * x1 * x2 * y1 * y2);
  return [
    mod((x1 * y2 + x2 * y1) * inverse(1n + product)),
    mod((y1 * y2 + x1 * x2) * inverse(1n - product)),
  ];
}

function times(factor: bigint, point: Point): Point {
  let sum: Point = [0n, 1n];
  for (let doubled = point, left = factor; left > 0n; left >>= 1n, doubled = add(doubled, doubled))
    if (left & 1n) sum = add(sum, doubled);
  return sum;
}

/** p is 5 modulo 8 (RFC 8032, section 5.1.3). */
function root(square: bigint): bigint | undefined {
  const candidate = power(square, (p + 3n) / 8n);
  const roots = [candidate, mod(candidate * power(2n, (p - 1n) / 4n))];
  return roots.find((x) => mod(x * x) === square);
}

function inverse(n: bigint): bigint {
  return power(mod(n), p - 2n);
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base, left = exponent; left > 0n; left >>= 1n, square = (square * square) % p)
    if (left & 1n) result = (result * square) % p;
  return result;
}

function encoded(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse();
}
