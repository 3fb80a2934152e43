import { TacetError } from '../../../proto/errors.js';
import { withoutByteOrderMark } from '../byte-order-mark.js';
import { isSpanLayer, labelFeature, shortName } from './annotation-layers.js';
import type { RawDocument, RawSpan } from './raw-document.js';

const HEADER = /^#FORMAT=WebAnno TSV 3\.[123]$/;
/** `#T_SP=type|feature|...` of spans, `#T_RL` of relations, `#T_CH` of chains. */
export const WEBANNO_LAYER = /^#T_(SP|RL|CH)=([^|]+)((?:\|[^|]*)*)$/;
/** Sentence and token, parted by a dot from a part of the token; offsets in UTF-16 units. */
export const WEBANNO_UNIT = /^(\d{1,9}-\d{1,9}(?:\.\d{1,9})?)\t(\d{1,10})-(\d{1,10})\t/;
const VALUE_IN_BRACKETS = /^(.*?)(?<!\\)\[(\d{1,9})\]$/s;
/** Between sentences there are white space and a line break; more than this is no text. */
const LONGEST_GAP = 1_000_000;

interface Column {
  readonly layer: string;
  /** Labels of spans, spans that have no label, what is counted, or another feature of those. */
  readonly kind: 'label' | 'unlabelled' | 'relations' | 'otherLayers' | 'feature';
}

/**
 * A document of WebAnno TSV 3.1 to 3.3, as INCEpTION exports it: sentences with their text, a row a token or
 * part of one, and a column a feature. Offsets count UTF-16 units. What stands between sentences is not in
 * the file: as INCEpTION does, a line break is put there, and blanks up to the next offset. Throws
 * `corpus-invalid`.
 */
export function parseWebanno(tsv: string, id: string, origin: string): RawDocument {
  return new WebannoReader(id, origin).read(withoutByteOrderMark(tsv));
}

class WebannoReader {
  readonly #columns: Column[] = [];
  #text = '';
  /** The text of the sentence whose tokens have not begun. */
  #sentence = '';
  readonly #spans: RawSpan[] = [];
  /** Spans of several rows, by layer and number. */
  readonly #open = new Map<string, number>();
  #line = 0;
  readonly #remarks = { relations: 0, otherLayers: 0, emptySpans: 0 };

  constructor(
    private readonly id: string,
    private readonly origin: string,
  ) {}

  read(tsv: string): RawDocument {
    const lines = tsv.split(/\r?\n/);
    if (!HEADER.test(lines[0] ?? ''))
      throw this.#invalid('expected "#FORMAT=WebAnno TSV 3.3" in the first line');
    for (const [index, line] of lines.entries()) {
      this.#line = index + 1;
      if (index > 0) this.#take(line);
    }
    if (this.#sentence.trim() !== '')
      throw this.#invalid('the text of a sentence has no tokens behind it; expected a whole file');
    // INCEpTION ends every sentence with a line break; a document's own last one cannot be told from it.
    const text = this.#text.replace(/\n$/, '');
    const { id, origin } = this;
    const isPlain = !this.#columns.some(({ kind }) => kind === 'label' || kind === 'unlabelled');
    const read = { id, text, spans: this.#spans, isInexact: true, isPlain, origin };
    return { ...read, counting: 'utf-16', remarks: this.#remarks };
  }

  #take(line: string): void {
    const layer = WEBANNO_LAYER.exec(line);
    if (layer !== null) this.#addLayer(layer);
    else if (line.startsWith('#Text=')) this.#sentence += `${unescaped(line.slice(6))}\n`;
    else if (line !== '' && !line.startsWith('#Sentence.id=')) this.#addUnit(line);
  }

  #addLayer([, kind = '', layer = '', declared = '']: RegExpExecArray): void {
    const features = declared === '' ? [''] : declared.slice(1).split('|');
    const label = labelFeature(
      features.filter((name) => /^\w+$/.test(name) && !name.startsWith('ROLE_')),
    );
    const isSpans = kind === 'SP' && isSpanLayer(layer);
    if (isSpans && label === undefined)
      throw this.#invalid(
        'the layer has several features and none is called "value" or "label"; ' +
          'expected one that holds the label',
      );
    for (const [index, name] of features.entries()) {
      const first = isSpans ? 'unlabelled' : kind === 'SP' ? 'otherLayers' : 'relations';
      const isLabel = isSpans && name === label;
      const isFirst = index === 0 && !(isSpans && label !== null);
      this.#columns.push({ layer, kind: isLabel ? 'label' : isFirst ? first : 'feature' });
    }
  }

  #addUnit(line: string): void {
    const [head, unit = '', from, to] = WEBANNO_UNIT.exec(line) ?? [];
    if (head === undefined)
      throw this.#invalid('expected "1-1<TAB>BEGIN-END<TAB>TOKEN" and the columns of the layers');
    const [begin, end] = [Number(from), Number(to)];
    if (this.#sentence !== '') this.#beginSentence(begin);
    const [token = '', ...values] = line.slice(head.length).split('\t');
    if (this.#text.slice(begin, end) !== unescaped(token))
      throw this.#invalid(
        'the token differs from the text at its offsets; expected UTF-16 units, as INCEpTION counts',
      );
    const place = `line ${this.#line} (${unit})`;
    for (const [index, value] of values.slice(0, this.#columns.length).entries())
      this.#addValues(value, index, { start: begin, end, place });
  }

  /** The sentence before ended with a line break, which is taken back where the next one touches it. */
  #beginSentence(begin: number): void {
    if (begin === this.#text.length - 1) this.#text = this.#text.slice(0, -1);
    const gap = begin - this.#text.length;
    if (gap < 0 || gap > LONGEST_GAP)
      throw this.#invalid('the sentence does not begin behind the one before');
    this.#text += ' '.repeat(gap) + this.#sentence;
    this.#sentence = '';
  }

  #addValues(cell: string, column: number, unit: Omit<RawSpan, 'type'>): void {
    const { layer, kind } = this.#columns[column] as Column;
    if (cell === '_' || kind === 'feature') return;
    const stacked = cell.split(/(?<!\\)\|/);
    if (kind === 'relations' || kind === 'otherLayers') {
      this.#remarks[kind] += stacked.length;
      return;
    }
    if (unit.start === unit.end) {
      this.#remarks.emptySpans += stacked.length;
      return;
    }
    for (const each of stacked) {
      const [, value = each, number] = VALUE_IN_BRACKETS.exec(each) ?? [];
      const hasLabel = kind === 'label' && value !== '*';
      const type = hasLabel ? unescapedValue(value) : shortName(layer);
      this.#addSpan({ type, ...unit }, number && `${column} ${number}`);
    }
  }

  /** A span of several rows has a number in each, and ends with the last. */
  #addSpan(span: RawSpan, key: string | undefined): void {
    const begun = key && this.#open.get(key);
    if (typeof begun === 'number') {
      const before = this.#spans[begun] as RawSpan;
      this.#spans[begun] = { ...before, end: Math.max(before.end, span.end) };
      return;
    }
    if (key) this.#open.set(key, this.#spans.length);
    this.#spans.push(span);
  }

  #invalid(problem: string): TacetError {
    return new TacetError('corpus-invalid', `${this.origin}:${this.#line || 1}: ${problem}`);
  }
}

const TEXT_ESCAPES: Readonly<Record<string, string>> = {
  ...{ t: '\t', n: '\n', r: '\r', f: '\f', b: '\b', '\\': '\\' },
};

/** Controls stand behind a backslash as they are. */
function unescaped(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the format escapes controls so
    /\\([tnrfb\\]|[\0-\x1f])/g,
    (_, character: string) => TEXT_ESCAPES[character] ?? character,
  );
}

function unescapedValue(value: string): string {
  return value.replace(/\\(->|[\\[\]|_;*tn])/g, (_, escaped: string) => {
    if (escaped === 't') return '\t';
    return escaped === 'n' ? '\n' : escaped;
  });
}
