import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TextChange } from '../../../../../models/text/corpus/layers/text-change.js';

const drawn = fc
  .record({
    before: fc.string({ maxLength: 30 }),
    cuts: fc.uniqueArray(fc.nat(30), { maxLength: 8 }),
    texts: fc.array(fc.string({ maxLength: 5 }), { minLength: 4, maxLength: 4 }),
  })
  .map(({ before, cuts, texts }) => {
    const within = cuts.filter((cut) => cut <= before.length).sort((a, b) => a - b);
    const replacements = [];
    for (let at = 0; at + 1 < within.length; at += 2) {
      const [start = 0, end = 0] = within.slice(at);
      replacements.push({ type: 'A', start, end, text: texts[at / 2] ?? '' });
    }
    return { before, replacements };
  });

test('what stands beside entities is found where its offsets move', () => {
  fc.assert(
    fc.property(drawn, ({ before, replacements }) => {
      const change = new TextChange(before, replacements);
      for (const [index, { start, end }] of change.spans.entries())
        expect(change.after.slice(start, end)).toBe(replacements[index]?.text);
      for (let at = 0; at < before.length; at++) {
        if (replacements.some(({ start, end }) => start <= at && at < end)) continue;
        expect(change.after[change.moved(at, 'end')]).toBe(before[at]);
      }
    }),
  );
});

test('pieces of a text are those of the changed one, wherever it is cut', () => {
  fc.assert(
    fc.property(drawn, fc.nat(30), ({ before, replacements }, cut) => {
      const change = new TextChange(before, replacements);
      const at = Math.min(cut, before.length);
      expect(change.slice(0, at) + change.slice(at, before.length)).toBe(change.after);
    }),
  );
});
