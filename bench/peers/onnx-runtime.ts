import { createRequire } from 'node:module';

interface OrtTensor {
  readonly data: Float32Array;
}

interface OrtSession {
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, OrtTensor>>): Promise<Readonly<Record<string, OrtTensor>>>;
}

interface Ort {
  readonly InferenceSession: {
    create(model: Uint8Array, options: object): Promise<OrtSession>;
  };
  readonly Tensor: new (
    type: 'float32' | 'int32',
    data: Float32Array | Int32Array,
    dims: readonly number[],
  ) => OrtTensor;
}

/** A model in ONNX Runtime: from x [T, B, I] and lengths [B] to its output. */
export interface OnnxSession {
  run(x: Float32Array, shape: readonly number[], lengths: Int32Array): Promise<Float32Array>;
}

/** Loads `model` for so many threads, or says why not and returns undefined. */
export async function onnxSession(
  model: Uint8Array,
  threads: number,
): Promise<OnnxSession | undefined> {
  let ort: Ort;
  try {
    ort = createRequire(import.meta.url)('onnxruntime-node') as Ort;
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0];
    process.stderr.write(`bench: not compared with ONNX Runtime: ${reason}\n`);
    return undefined;
  }
  const session = await ort.InferenceSession.create(model, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
  });
  return {
    async run(x, shape, lengths) {
      const output = await session.run({
        x: new ort.Tensor('float32', x, shape),
        lengths: new ort.Tensor('int32', lengths, [lengths.length]),
      });
      return output[session.outputNames[0] as string]?.data as Float32Array;
    },
  };
}
