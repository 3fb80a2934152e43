const SIGN = 0x8000;
const INFINITY_BITS = 0x7c00;
const NAN_BITS = 0x7e00;

/** Bits of float32 values: infinity, 2^16 (which float16 cannot hold), 2^-14 (its least normal). */
const INFINITY_32 = 0x7f80_0000;
const TOO_LARGE_32 = 0x4780_0000;
const LEAST_NORMAL_32 = 0x3880_0000;
/** Difference of the exponent biases, 127 - 15, in the place of a float32 exponent. */
const BIAS_32 = 112 << 23;

/** Adding 1/2 to a float32 below 2^-14 rounds it to a multiple of 2^-24, the float16 grid there. */
const HALF_32 = 0x3f00_0000;
const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);

/**
 * The 16 bits of the float16 nearest to a float32 given by its 32 bits; ties go to the even one
 * (IEEE 754-2019, section 4.3.1).
 */
export function float16Bits(bits: number): number {
  const sign = (bits >>> 16) & SIGN;
  const magnitude = bits & 0x7fff_ffff;
  if (magnitude >= TOO_LARGE_32) return sign | (magnitude > INFINITY_32 ? NAN_BITS : INFINITY_BITS);
  if (magnitude < LEAST_NORMAL_32) {
    floatBits[0] = magnitude;
    float[0] += 0.5;
    return sign | (floatBits[0] - HALF_32);
  }
  const odd = (magnitude >>> 13) & 1;
  return sign | ((magnitude - BIAS_32 + 0xfff + odd) >>> 13);
}
