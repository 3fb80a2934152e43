import { describe, expect, test } from '@jest/globals';
import { blasOf } from '../../../bench/peers/blas.js';

const DEBIAN = '/usr/lib/x86_64-linux-gnu';
/** Every build names MKL-DNN, which is no BLAS. */
const configOf = (info: string) =>
  `PyTorch built with:\n  - Intel(R) MKL-DNN v2.6.3\n  - Build settings: BLAS_INFO=${info}, USE_MKLDNN=ON, `;

describe('the BLAS that a PyTorch computes with', () => {
  test.each([
    ["Debian's reference BLAS", `${DEBIAN}/blas/libblas.so.3.11.0`, 'reference BLAS', false],
    ["Fedora's reference BLAS", '/usr/lib64/libblas.so.3.11.0', 'reference BLAS', false],
    ["Debian's OpenBLAS", `${DEBIAN}/openblas-pthread/libblas.so.3`, 'OpenBLAS', true],
    ["Debian's BLIS", `${DEBIAN}/blis-openmp/libblas.so.3`, 'BLIS', true],
    ["Debian's ATLAS", `${DEBIAN}/atlas/libblas.so.3.10.3`, 'ATLAS', true],
    ['MKL behind it', `${DEBIAN}/libmkl_rt.so`, 'MKL', true],
  ])('is seen behind the system’s choice: %s', (_, library, name, isFast) => {
    const libraries = [`${DEBIAN}/libc.so.6`, `${DEBIAN}/libdnnl.so.2`, library];
    expect(blasOf({ config: configOf('generic'), libraries })).toEqual({ name, isFast });
  });

  test('is not the one that NumPy brings for itself', () => {
    const libraries = [
      '/venv/lib/python3.11/site-packages/numpy.libs/libscipy_openblas64_-99b71e71.so',
      `${DEBIAN}/blas/libblas.so.3.11.0`,
    ];
    expect(blasOf({ config: configOf('generic'), libraries }).name).toBe('reference BLAS');
    expect(blasOf({ config: configOf('generic'), libraries: libraries.slice(0, 1) }).name).toBe(
      'unknown BLAS',
    );
  });

  test.each([
    ['mkl', 'MKL'],
    ['open', 'OpenBLAS'],
    ['accelerate', 'Accelerate'],
  ])('is what it was built with where that is a part of it: %s', (info, name) => {
    const libraries = ['/venv/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so'];
    expect(blasOf({ config: configOf(info), libraries })).toEqual({ name, isFast: true });
  });

  test.each([[configOf('generic')], ['']])(
    'is unknown, and not taken for fast, where nothing tells',
    (config) => {
      expect(blasOf({ config, libraries: [] })).toEqual({ name: 'unknown BLAS', isFast: false });
    },
  );
});
