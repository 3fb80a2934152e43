/** Which library a PyTorch multiplies matrices with: between one and another lies a factor of ten. */

export interface Blas {
  readonly name: string;
  /** Whether a speed beside it says anything: not so for the reference BLAS, nor for one that is not known. */
  readonly isFast: boolean;
}

export interface PytorchBuild {
  /** What `torch.__config__.show()` says. */
  readonly config: string;
  /** Paths of the shared libraries in the process; empty where the system does not tell. */
  readonly libraries: readonly string[];
}

const FAST: readonly (readonly [RegExp, string])[] = [
  [/openblas/i, 'OpenBLAS'],
  [/^mkl$|libmkl_/i, 'MKL'],
  [/blis/i, 'BLIS'],
  [/atlas/i, 'ATLAS'],
  [/accelerate|vecLib/i, 'Accelerate'],
];
/** The name that every BLAS takes where the system lets one choose, as Debian's alternatives do. */
const INTERFACE = /\/libblas\.so[^/]*$/;
/** A BLAS that NumPy or SciPy brings for itself. */
const BUNDLED = /\/(?:numpy|scipy)(?:\.libs)?\//;

/**
 * By the library that stands behind the system's `libblas` where that is loaded, by another one of a known
 * name, and else by what PyTorch says that it was built with.
 */
export function blasOf({ config, libraries }: PytorchBuild): Blas {
  const system = libraries.find((path) => INTERFACE.test(path));
  if (system !== undefined) return blasNamedIn(system) ?? { name: 'reference BLAS', isFast: false };
  const own = libraries.filter((path) => !BUNDLED.test(path)).map(fileName);
  return (
    own.map(blasNamedIn).find((blas) => blas !== undefined) ??
    blasNamedIn(BUILT_WITH.exec(config)?.[1] ?? '') ?? { name: 'unknown BLAS', isFast: false }
  );
}

/** `BLAS_INFO` is `mkl`, `open`, `accelerate` or `generic`, which is any. */
const BUILT_WITH = /\bBLAS_INFO=(\w+)/;

function blasNamedIn(text: string): Blas | undefined {
  const name = text === 'open' ? 'OpenBLAS' : FAST.find(([pattern]) => pattern.test(text))?.[1];
  return name === undefined ? undefined : { name, isFast: true };
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
