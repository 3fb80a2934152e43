import { expect, test } from '@jest/globals';
import { createInventory } from '../../../../../models/surrogates/create-inventory.js';
import { loadLabelScheme } from '../../../../../models/text/label-scheme.js';
import { Replacer } from '../../../../../services/institution/release/notes/replacer.js';

const NOTE = { id: 'one', text: 'Ana  Ruiz was seen.', spans: [{ start: 0, end: 9, type: 'PHI' }] };

test('where no note of version 9 counts, all is the same but the hash that it is looked for by', async () => {
  const scheme = loadLabelScheme('phi-binary');
  const lists = [{ name: 'names', type: 'PHI', text: 'Eva Sanz\nIker Vega' }];
  const inventory = await createInventory(scheme, { lists });
  const secret = Buffer.alloc(32, 1);
  const copiesOf = (countsEarlier?: boolean) =>
    new Replacer({ inventory, secret, copies: 2, countsEarlier }).copiesOf(NOTE, scheme);
  const [counted, others] = [await copiesOf(), await copiesOf(false)];
  expect(others).toEqual(counted.map((copy) => ({ ...copy, earlierText: copy.text })));
  for (const { text, earlierText } of counted) expect(earlierText).not.toEqual(text);
});
