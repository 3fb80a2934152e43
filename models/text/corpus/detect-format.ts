import type { CorpusFormat } from './format.js';

/** What files of these names hold unless their content says something else. */
const EXTENSIONS: Readonly<Record<string, CorpusFormat>> = {
  '.xml': 'i2b2',
  '.xmi': 'xmi',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'presidio',
  '.conll': 'conll',
  '.iob': 'conll',
  '.iob2': 'conll',
  '.bio': 'conll',
  '.bioes': 'conll',
  '.tsv': 'tsv',
  '.txt': 'text',
  '.ann': 'brat',
  '.pdf': 'pdf',
};

/** Enough to tell the formats apart. */
export const HEAD_CHARACTERS = 1024;

/** The format that a file's extension stands for; undefined where it is not a corpus's. */
export function formatOfExtension(extension: string): CorpusFormat | undefined {
  const lower = extension.toLowerCase();
  return Object.hasOwn(EXTENSIONS, lower) ? EXTENSIONS[lower] : undefined;
}

/** Roots of XML that say which format it is; XML with another is i2b2's, whose roots have any name. */
const ROOTS: Readonly<Record<string, CorpusFormat>> = {
  collection: 'bioc',
  'xmi:XMI': 'xmi',
};

/** Keys that a task of Label Studio begins with, and that a sample of presidio-research has not. */
const TASK_KEY =
  /^\[\s*\{\s*"(id|data|annotations|completions|predictions|file_upload|drafts)"\s*:/;

/** The same of a task without an array around it. Lines of JSONL have no such objects and lists. */
const ONE_TASK =
  /^\{\s*("id"\s*:\s*("[^"]*"|\d+)\s*,\s*)?"(data"\s*:\s*\{|(annotations|predictions)"\s*:\s*\[.*"result"\s*:\s*\[)/s;

/** Of the items of its JSON_MIN, which hold the data of a task: other arrays call a text otherwise. */
const MIN_ITEM = /^\[\s*\{\s*("text"\s*:|(?!.*"full_text"\s*:).*"(annotation_id|annotator)"\s*:)/s;

/**
 * The format that the first characters of a file show, behind which more may come where it `isCut`; undefined
 * where they could be a note's. A note may start with `<` or `{`, so each pattern asks for more than that.
 */
export function formatOfContent(head: string, isCut = false): CorpusFormat | undefined {
  const start = head.trimStart();
  if (/^<(\?xml\s|!DOCTYPE\s|!--|[\w.:-]+[^<>]*>\s*<(TEXT|TAGS)\b)/.test(start))
    return ROOTS[rootOf(start) ?? ''] ?? 'i2b2';
  if (/^<collection>\s*<source>/.test(start)) return 'bioc';
  if (/^\{\s*"%(HEADER|TYPES|FEATURE_STRUCTURES|VIEWS)"\s*:/.test(start)) return 'cas-json';
  if (/^\[?\s*\{(\s*"bioctype"\s*:|(?:(?!"text"\s*:).)*?"documents"\s*:\s*\[)/s.test(start))
    return 'bioc-json';
  if (ONE_TASK.test(start)) return 'label-studio';
  if (/^\{\s*"[^"]*"\s*:/.test(start)) return 'jsonl';
  if (TASK_KEY.test(start) || MIN_ITEM.test(start)) return 'label-studio';
  if (/^\[\s*(\{\s*"[^"]*"\s*:|\]\s*$)/.test(start)) return 'presidio';
  if (/^%PDF-\d\.\d/.test(start)) return 'pdf';
  if (/^\ufeff?===QUERY===\s*\n/.test(start)) return 'asq-phi';
  if (/^#FORMAT=WebAnno TSV 3\.\d/.test(start)) return 'webanno';
  return formatOfColumns(start, isCut);
}

/** The name of the first element, behind declarations and comments. */
function rootOf(xml: string): string | undefined {
  return /<([A-Za-z_][\w.:-]*)/.exec(xml.replace(/<!--.*?(-->|$)/gs, ''))?.[1];
}

/** Whether a file is no document but says of what types others are. */
export function isTypeSystem(head: string): boolean {
  return rootOf(head.trimStart()) === 'typeSystemDescription';
}

/** As many lines of columns as no note has by chance. */
const MANY_LINES = 10;

/**
 * A document start, or lines of as many columns each that all end in a tag: many, or with both `O` and the
 * first tag of an entity. A note may have a line or two such as `Given vitamin B-12`.
 */
function formatOfColumns(start: string, isCut: boolean): CorpusFormat | undefined {
  const lines = start.split(/\r?\n/);
  const whole = (isCut ? lines.slice(0, -1) : lines).filter((line) => line.trim() !== '');
  if (!/^-DOCSTART-\s/.test(start) && !areColumns(whole)) return undefined;
  return whole.at(-1)?.includes('\t') ? 'tsv' : 'conll';
}

function areColumns(lines: readonly string[]): boolean {
  const rows = lines.map((line) => line.trim().split(line.includes('\t') ? '\t' : / +/));
  const width = rows[0]?.length ?? 0;
  const tags = rows.map((row) => row.at(-1)?.trim() ?? '');
  const isTag = (tag: string) => /^(O|[BIMELSU]-\S+)$/.test(tag);
  if (width < 2 || rows.some((row) => row.length !== width) || !tags.every(isTag)) return false;
  const isFirst = (tag: string) => /^[BSU]-\p{L}/u.test(tag);
  return lines.length >= MANY_LINES || (tags.includes('O') && tags.some(isFirst));
}
