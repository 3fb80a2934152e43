import { RecordContext } from '../../../../../services/institution/deidentify/records/record-context.js';
import { RecordCounts } from '../../../../../services/institution/deidentify/records/record-counts.js';
import { Renaming } from '../../../../../services/institution/deidentify/records/renaming.js';

/** A name that stands in every place of a record that may hold one. */
export const NAME = 'Zacarias';

/** A run whose pipeline finds that name, and the name in two words, and nothing else. */
export function taggedNames(signal?: AbortSignal): RecordContext {
  const edit = async (text: string) =>
    Array.from(text.matchAll(/Zacarias( Quint)?/g), ({ 0: found, index }) => ({
      ...{ start: index, end: index + found.length, text: '[NAME]' },
    }));
  return new RecordContext(edit, new Renaming(), new RecordCounts(), signal);
}
