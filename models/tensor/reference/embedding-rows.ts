/** The rows of `embedding`, [N, E] of width E. */
export function embeddingRows(
  fixed: Float32Array,
  further: Float32Array,
  trained: Float32Array,
  rows: Int32Array,
  width: number,
): Float32Array {
  const values = new Float32Array(rows.length * width);
  const end = fixed.length / width;
  rows.forEach((row, i) => {
    if (row === -1) return;
    const [table, place] =
      row < 0 ? [trained, -2 - row] : row < end ? [fixed, row] : [further, row - end];
    values.set(table.subarray(place * width, (place + 1) * width), i * width);
  });
  return values;
}
