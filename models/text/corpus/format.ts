/**
 * The forms in which a corpus is stored: i2b2 2014 XML (MEDDOCAN's is the same), brat standoff
 * (`.txt` beside `.ann`), CoNLL columns parted by blanks and TSV columns parted by tabs, both with a
 * token first and an IOB1, IOB2 or BIOES tag last, JSON lines `{text, spans:[{start,end,label}], id?}`
 * (`json-spans.ts` has what else is read), doccano's JSON lines, Label Studio's JSON of tasks, BioC as
 * XML and as JSON, what INCEpTION exports (UIMA CAS JSON, UIMA CAS XMI, WebAnno TSV 3), the JSON array of
 * presidio-research, the queries of ASQ-PHI, plain text, and the text layer of PDF.
 */
export const CORPUS_FORMATS = [
  'i2b2',
  'brat',
  'conll',
  'tsv',
  'jsonl',
  'doccano',
  'label-studio',
  'bioc',
  'bioc-json',
  'cas-json',
  'xmi',
  'webanno',
  'presidio',
  'asq-phi',
  'text',
  'pdf',
] as const;

export type CorpusFormat = (typeof CORPUS_FORMATS)[number];

/** The formats that can be written; Label Studio's with spans as annotations or as predictions. */
export const WRITTEN_FORMATS = [
  'i2b2',
  'brat',
  'conll',
  'tsv',
  'jsonl',
  'doccano',
  'label-studio',
  'label-studio-predictions',
  'bioc',
  'bioc-json',
  'cas-json',
  'xmi',
  'webanno',
  'text',
] as const;

export type WrittenFormat = (typeof WRITTEN_FORMATS)[number];
