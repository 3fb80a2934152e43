import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Table as ArrowTable, tableFromIPC, type Vector } from 'apache-arrow';
import * as fc from 'fast-check';
import { readParquet, Table, writeParquet } from 'parquet-wasm/node';
import type { MessageWindow } from '../../../pool-store/snapshots/snapshot-reader.js';
import { decodeElements, encodeElements } from '../../../proto/element.js';
import { type EncodedSentence, encodeSentence } from '../../../proto/encoded-sentence.js';
import { readSegment } from '../../../proto/segment.js';
import type { SegmentShape } from '../../../proto/segment-header.js';
import { messagesOf } from '../../../proto/sentence-message.js';
import { SENTENCE_FORMATS, type SentenceFormat } from '../../../services/pool/sentence-formats.js';
import { anySentences, sentenceOf, shape } from '../../proto/encoded-sentences.js';

const WINDOW = 50;

/** As a snapshot is read: each window in the buffer of the one before. */
async function* windowsOf(
  sentences: readonly EncodedSentence[],
  of: SegmentShape,
): AsyncGenerator<MessageWindow> {
  const buffer = Buffer.alloc(1 << 22);
  for (let from = 0; from < sentences.length; from += WINDOW) {
    const messages = Buffer.concat(sentences.slice(from, from + WINDOW).map(encodeSentence));
    buffer.fill(0xff);
    buffer.set(messages);
    yield { bytes: buffer, messages: [...messagesOf(buffer, of, { stop: messages.length })] };
  }
}

async function written(
  format: SentenceFormat,
  of: SegmentShape,
  sentences: readonly EncodedSentence[],
): Promise<Buffer> {
  const header = { ...of, sentenceCount: sentences.length };
  const chunks: Buffer[] = [];
  for await (const chunk of SENTENCE_FORMATS[format].write(header, windowsOf(sentences, of))) {
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

/** What every format has to say of a sentence. */
function plain({ vectors, labels }: EncodedSentence, of: SegmentShape) {
  const values = decodeElements(vectors, of.elementType);
  const row = (t: number) => [...values.subarray(t * of.dimension, (t + 1) * of.dimension)];
  return {
    vectors: Array.from(labels, (_, t) => row(t)),
    labels: [...labels],
  };
}

function rowsOf(table: ArrowTable) {
  return Array.from({ length: table.numRows }, (_, i) => {
    const column = (name: string) => table.getChild(name)?.get(i) as Vector;
    return {
      vectors: Array.from(column('vectors'), (row: Vector) => [...row]),
      labels: [...column('labels')],
    };
  });
}

/** Every number that a float16 can be. */
function finite16(): Float32Array {
  const bits = Uint16Array.from({ length: 65_536 }, (_, i) => i);
  return decodeElements(new Uint8Array(bits.buffer), 'float16').filter(Number.isFinite);
}

/** Through arrow-rs: read, written as Parquet, read again, and given back. */
function throughRust(stream: Uint8Array): Uint8Array {
  return readParquet(writeParquet(Table.fromIPCStream(stream))).intoIPCStream();
}

describe('sentences of a snapshot', () => {
  test('are the same in Arrow, in JSON and in segments, whatever their shape', async () => {
    await fc.assert(
      fc.asyncProperty(anySentences, async ({ shape: of, sentences }) => {
        const expected = sentences.map((one) => plain(one, of));
        const table = tableFromIPC(await written('arrow', of, sentences));
        expect(rowsOf(table)).toEqual(expected);
        expect(table.schema.metadata.get('modelDigest')).toBe(of.modelDigest);
        const text = (await written('ndjson', of, sentences)).toString();
        expect(
          text
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line)),
        ).toEqual(expected);
        const segment = readSegment(await written('protobuf', of, sentences));
        expect([...segment.sentences()].map((one) => plain(one, of))).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  test.each(['float16', 'float32'] as const)(
    'of %s are read by arrow-rs as they were written',
    async (elementType) => {
      const of = { ...shape, elementType };
      const sentences = Array.from({ length: 500 }, (_, i) => sentenceOf(1 + (i % 40), i, of));
      const stream = await written('arrow', of, sentences);
      const table = tableFromIPC(throughRust(stream));
      expect(rowsOf(table)).toEqual(sentences.map((one) => plain(one, of)));
    },
  );

  test.each(['float16', 'float32'] as const)(
    'have every %s in JSON as JSON.stringify has it',
    async (elementType) => {
      const of = { ...shape, elementType, dimension: 64 };
      const numbers = [...finite16()].map((value) =>
        elementType === 'float16' ? value : value / 3,
      );
      const [tokens, sentences] = [8, [] as EncodedSentence[]];
      for (let from = 0; from < numbers.length; from += tokens * of.dimension) {
        const values = Float32Array.from(numbers.slice(from, from + tokens * of.dimension));
        const vectors = encodeElements(values, elementType);
        sentences.push({ vectors, labels: new Uint8Array(values.length / of.dimension) });
      }
      const lines = (await written('ndjson', of, sentences)).toString();
      expect(lines).toBe(sentences.map((one) => `${JSON.stringify(plain(one, of))}\n`).join(''));
    },
  );

  const python = pythonWithArrow();
  const withPython = python ? test : test.skip;
  withPython(`are read by pyarrow${python ? '' : ' (no Python here has it)'}`, async () => {
    const sentences = Array.from({ length: 500 }, (_, i) => sentenceOf(1 + (i % 40), i));
    const directory = mkdtempSync(join(tmpdir(), 'tacet-arrow-'));
    const file = join(directory, 'snapshot.arrows');
    writeFileSync(file, await written('arrow', shape, sentences));
    const program =
      'import json, sys, pyarrow.ipc as ipc\n' +
      't = ipc.open_stream(sys.argv[1]).read_all(); t.validate(full=True)\n' +
      'print(json.dumps([{k: [[float(x) for x in r] if isinstance(r, list) else r for r in v] ' +
      'for k, v in row.items()} for row in t.to_pylist()]))';
    const output = execFileSync(python ?? '', ['-c', program, file], { maxBuffer: 1e9 });
    rmSync(directory, { recursive: true });
    expect(JSON.parse(output.toString())).toEqual(sentences.map((one) => plain(one, shape)));
  });

  test('leave in batches of bounded size, however many there are', async () => {
    const wide = { ...shape, dimension: 256 };
    const sentences = Array.from({ length: 1200 }, (_, i) => sentenceOf(4, i % 50, wide));
    const table = tableFromIPC(await written('arrow', wide, sentences));
    expect(table.numRows).toBe(1200);
    expect(table.batches.length).toBe(Math.ceil(1200 / WINDOW));
  });
});

function pythonWithArrow(): string | undefined {
  return [process.env.TACET_PYTHON, '/usr/bin/python3', 'python3'].find((command) => {
    try {
      execFileSync(command ?? '', ['-c', 'import pyarrow.ipc'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}
