import { Field, FixedSizeList, Float16, Float32, List, Schema, Uint8 } from 'apache-arrow';
import { keptTypesText } from '../../proto/kept-types.js';
import type { SegmentHeader } from '../../proto/segment-header.js';

/** The types of the columns, and the schema of all. */
export interface SentenceColumns {
  readonly schema: Schema;
  /** [d] */
  readonly row: FixedSizeList<Float16 | Float32>;
  /** [T, d] */
  readonly matrix: List<FixedSizeList<Float16 | Float32>>;
  /** [T] */
  readonly list: List<Uint8>;
}

/**
 * The columns of encoded sentences in Apache Arrow (https://arrow.apache.org/docs/format/Columnar.html),
 *
 *   vectors  List<FixedSizeList<Float16 or Float32>[d]>   [T, d]
 *   labels   List<Uint8>                                  [T]
 *
 * and what all sentences have in common in the metadata of the schema.
 */
export function columnsOf(header: SegmentHeader): SentenceColumns {
  const { dimension, elementType } = header;
  const element = elementType === 'float16' ? new Float16() : new Float32();
  const row = new FixedSizeList<Float16 | Float32>(
    dimension,
    new Field('element', element as Float16 | Float32, false),
  );
  const matrix = new List(new Field('token', row, false));
  const list = new List(new Field('token', new Uint8(), false));
  const fields = [new Field('vectors', matrix, false), new Field('labels', list, false)];
  return { schema: new Schema(fields, metadataOf(header)), row, matrix, list };
}

function metadataOf(header: SegmentHeader): Map<string, string> {
  const { modelDigest, labelSchemeDigest, labelCount, entities, sentenceCount } = header;
  const { keptTypes = [] } = header;
  const metadata = {
    ...{ modelDigest, labelSchemeDigest, labelCount, entities, sentenceCount },
    ...(keptTypes.length > 0 && { keptTypes: keptTypesText(keptTypes) }),
  };
  return new Map(Object.entries(metadata).map(([name, value]) => [name, String(value)]));
}
