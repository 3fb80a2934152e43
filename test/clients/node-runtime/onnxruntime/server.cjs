// Answers one message after another: a model, then its inputs by name, each a line of JSON and its bytes behind.
const ort = require(process.argv[2]);
const ARRAYS = { float32: Float32Array, int32: Int32Array, int64: BigInt64Array };
let waiting = Buffer.alloc(0);
let session;

async function answers() {
  for await (const part of process.stdin) {
    waiting = Buffer.concat([waiting, part]);
    for (;;) {
      const end = waiting.indexOf(10);
      if (end < 0) break;
      const head = JSON.parse(waiting.subarray(0, end).toString());
      const size = head.model ?? head.feeds.reduce((sum, { bytes }) => sum + bytes, 0);
      if (waiting.length < end + 1 + size) break;
      const bytes = Buffer.from(waiting.subarray(end + 1, end + 1 + size));
      waiting = waiting.subarray(end + 1 + size);
      await (head.model ? open(bytes) : run(head.feeds, bytes));
    }
  }
}

async function open(model) {
  session = await ort.InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  const inputs = session.inputMetadata.map(({ name, shape }) => ({ name, shape }));
  process.stdout.write(`${JSON.stringify({ inputs })}\n`);
}

async function run(feeds, bytes) {
  let at = 0;
  const tensors = feeds.map(({ name, type, dims, bytes: size }) => {
    const own = bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + size);
    at += size;
    return [name, new ort.Tensor(type, new ARRAYS[type](own), dims)];
  });
  const found = await session.run(Object.fromEntries(tensors));
  const outputs = session.outputNames.map((name) => found[name]);
  const heads = outputs.map(({ type, dims, data }) => ({ type, dims, bytes: data.byteLength }));
  process.stdout.write(`${JSON.stringify({ outputs: heads })}\n`);
  for (const { data } of outputs)
    process.stdout.write(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
}

answers();
