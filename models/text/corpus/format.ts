/**
 * The forms in which a corpus is stored: i2b2 2014 XML (MEDDOCAN's is the same), brat standoff
 * (`.txt` beside `.ann`), CoNLL columns parted by blanks and TSV columns parted by tabs, both with a
 * token first and an IOB1, IOB2 or BIOES tag last, JSON lines `{text, spans:[{start,end,label}], id?}`
 * (`json-spans.ts` has what else is read), the JSON array of presidio-research, and plain text.
 */
export const CORPUS_FORMATS = [
  'i2b2',
  'brat',
  'conll',
  'tsv',
  'jsonl',
  'presidio',
  'text',
] as const;

export type CorpusFormat = (typeof CORPUS_FORMATS)[number];

/** The formats that can be written. */
export const WRITTEN_FORMATS = ['i2b2', 'brat', 'conll', 'tsv', 'jsonl', 'text'] as const;

export type WrittenFormat = (typeof WRITTEN_FORMATS)[number];
