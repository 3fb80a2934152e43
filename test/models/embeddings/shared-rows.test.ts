import { expect, test } from '@jest/globals';
import { SharedRows } from '../../../models/embeddings/shared-rows.js';

test.each([0, 1, 4])('rows stay as they are while memory grows from room for %i', (room) => {
  const rows = new SharedRows(Uint16Array, 3, room);
  expect(rows.all()).toHaveLength(0);
  for (let i = 0; i < 9; i++) {
    const row = rows.add();
    expect(row).toEqual(new Uint16Array(3));
    row.fill(i);
    expect(rows.count).toBe(i + 1);
  }
  expect(rows.all().buffer).toBeInstanceOf(SharedArrayBuffer);
  expect([...rows.all()]).toEqual(Array.from({ length: 27 }, (_, i) => Math.floor(i / 3)));
});
