import { Command } from 'commander';
import { withNamed } from '../command-group.js';

const FORMATS = `
Formats, and what their offsets count:
  i2b2          XML of i2b2 2014 and MEDDOCAN: code points of the parsed text of TEXT
  brat          .txt beside .ann: code points of the .txt file, CRLF as two
  jsonl         a note a line, {"id", "text", "spans": [{"start", "end", "label"}]}: code points of text,
                as over HTTP; "type" is read for "label", and doccano's label, labels and entities,
                spaCy's entities and ents, as [start, end, label] or objects; other keys that look
                like annotations are refused
  doccano       a note a line, {"id", "text", "label": [[start, end, label]]}: code points; read as jsonl
  label-studio  JSON array of tasks, {"id", "data": {"text"}, "annotations": [{"result": [{"type":
                "labels", "value": {"start", "end", "text", "labels"}}]}]}: code points, before 1.5
                UTF-16 units; of several annotations the ground truth, of none the prediction;
                label-studio-predictions writes spans as predictions; a task without an array around
                it and the export JSON_MIN are read, too
  bioc          XML of BioC: documents, passages, sentences, annotations with locations and the infon
                "type"; characters, UTF-16 units or bytes of the document, as the texts agree; writes
                code points. A file may hold any number of documents
  bioc-json     the same as JSON, up to 50 MB
  cas-json      UIMA CAS JSON 0.4.0 of INCEpTION: NamedEntity and custom layers by their feature
                "value" or "label" or their only one: UTF-16 units, or what
                the header says
  xmi           UIMA CAS XMI, the same, with TypeSystem.xml beside it where it is written
  webanno       WebAnno TSV 3.1 to 3.3, the same; writes 3.3, a line break between sentences
  presidio      JSON array of presidio-research, read only: code points of full_text
  asq-phi       queries of ASQ-PHI and the values in them that are PHI, read only
  conll         a token and its IOB tag a line, parted by a blank (tsv: by a tab): no offsets, and no
                white space beyond what parts tokens and sentences
  text          .txt without annotations
  pdf           the text layer of PDF, read only; scanned pages, OCR's invisible text, fonts without a
                meaning and forms that were filled in are refused
A byte order mark at the start of a note is one of its characters: it is kept and counted. Spans that
state their text are also read where CRLF was counted as one, UTF-16 units were counted, or the byte
order mark was not. What a format cannot hold, as XML control characters, is an error.`;

const COMMANDS = {
  check: async () => (await import('./corpus-check.js')).corpusCheckCommand(),
  convert: async () => (await import('./corpus-convert.js')).corpusConvertCommand(),
  generate: async () => (await import('./corpus-generate.js')).corpusGenerateCommand(),
  split: async () => (await import('./corpus-split.js')).corpusSplitCommand(),
  stats: async () => (await import('./corpus-stats.js')).corpusStatsCommand(),
};

/** `tacet corpus`: look at annotated documents, and turn one format into another. */
export function corpusCommand(words: readonly string[]): Promise<Command> {
  const group = new Command('corpus')
    .description('check, measure, convert, part and make annotated documents')
    .addHelpText('after', FORMATS);
  return withNamed(group, COMMANDS, words);
}
