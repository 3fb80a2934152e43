import { join } from 'node:path';
import { typeOfLabel } from '../../../../models/certification/entity.js';
import type { Document } from '../../../../models/text/document.js';
import { sentencesOf } from '../../../../models/text/labelled-sentence.js';
import { openDatabase } from '../../../../platform/sqlite/database.js';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import { framed } from '../../../../services/institution/release/ledger/ledger-key.js';
import { RowFrames } from '../../../../services/institution/release/ledger/row-frames.js';
import { Replacer } from '../../../../services/institution/release/notes/replacer.js';

/** Takes away what a ledger of version 9 does not have. */
export const TO_9 = `
  DROP TABLE earlier_alike;
  DROP TABLE earlier_documents;
  ALTER TABLE bounds DROP COLUMN suspects;
  ALTER TABLE segments DROP COLUMN dropped;
  ALTER TABLE contributions DROP COLUMN sent;
`;

/** Makes the ledger of `home`, which released `notes` with their entities replaced, one of version 9, with its hashes. */
export async function toVersion9(
  home: string,
  notes: readonly Document[],
  { scheme, inventory, vocabulary }: EncodingModel,
  copies = 1,
): Promise<void> {
  const ledger = await Ledger.open(home);
  const { key } = ledger;
  ledger.close();
  const db = openDatabase(join(home, 'ledger.db'));
  const rename = (table: string, column: string) =>
    db.prepare<[Buffer, Buffer]>(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`);
  const [renameNote, renameAlike] = [rename('documents', 'text'), rename('alike', 'sentence')];
  if (!inventory) throw new Error('the model has no inventory');
  const replacer = new Replacer({
    inventory: inventory.file,
    secret: key.surrogateSecret(),
    copies,
  });
  for (const note of notes)
    for (const { text, earlierText, document } of await replacer.copiesOf(note, scheme)) {
      renameNote.run(earlierText, text);
      for (const { tokens, labels } of sentencesOf(document, scheme, 0)) {
        const frames = new RowFrames();
        for (const { text: word } of tokens)
          frames.add(framed(vocabulary.key(vocabulary.idOf(word))));
        const rows = Int32Array.from(tokens, (_, t) => t);
        const places = Uint8Array.from(labels);
        const masked = key.hashMasked(frames, frames.maskedPlacesOf(rows, places));
        const earlier = frames.maskedPlacesOf(rows, places, typeOfLabel);
        renameAlike.run(key.hashMasked(frames, earlier), masked);
      }
    }
  db.exec(TO_9);
  db.pragma('user_version = 9');
  db.close();
}
