/**
 * The forms in which a corpus is stored: i2b2 2014 XML (MEDDOCAN's is the same), brat standoff
 * (`.txt` beside `.ann`), JSON lines `{text, spans:[{start,end,label}], id?}`, and plain text.
 */
export const CORPUS_FORMATS = ['i2b2', 'brat', 'jsonl', 'text'] as const;

export type CorpusFormat = (typeof CORPUS_FORMATS)[number];
