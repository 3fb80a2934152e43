import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RUNTIME = createRequire(import.meta.url).resolve('onnxruntime-node');

/** Runs a model in a process of its own: the runtime is native and knows no other realm's arrays. */
const RUN = `
const [runtime, model, inputs] = process.argv.slice(1);
const ort = require(runtime);
const given = JSON.parse(require('node:fs').readFileSync(inputs, 'utf8'));
const arrayOf = {
  float32: (data) => Float32Array.from(data),
  int32: (data) => Int32Array.from(data),
  int64: (data) => BigInt64Array.from(data, BigInt),
};
const feeds = Object.fromEntries(Object.entries(given).map(([name, { type, dims, data }]) =>
  [name, new ort.Tensor(type, arrayOf[type](data), dims)]));
ort.InferenceSession.create(model).then(async (session) => {
  const { [session.outputNames[0]]: found } = await session.run(feeds);
  console.log(JSON.stringify({ dims: found.dims, data: Array.from(found.data) }));
});
`;

export interface OnnxInput {
  readonly type: 'float32' | 'int32' | 'int64';
  readonly dims: readonly number[];
  readonly data: readonly number[];
}

/** The one output that ONNX Runtime computes of a model and its inputs by name. */
export function runOnnx(
  model: Uint8Array,
  inputs: Readonly<Record<string, OnnxInput>>,
): { dims: number[]; data: number[] } {
  const root = mkdtempSync(join(tmpdir(), 'tacet-onnx-'));
  try {
    const [file, feeds] = [join(root, 'model.onnx'), join(root, 'inputs.json')];
    writeFileSync(file, model);
    writeFileSync(feeds, JSON.stringify(inputs));
    const args = ['-e', RUN, RUNTIME, file, feeds];
    const env = { ...process.env, NODE_OPTIONS: '' };
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env }));
  } finally {
    rmSync(root, { recursive: true });
  }
}
