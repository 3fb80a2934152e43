import type { Document, Span } from '../../document.js';
import { isSpanLayer, labelFeature, NAMED_ENTITY } from '../annotation-layers.js';
import { cellValue, formatWebanno } from '../format-webanno.js';
import { checkedDocument } from '../raw-document.js';
import { parseWebanno, WEBANNO_LAYER, WEBANNO_UNIT } from '../webanno.js';
import { isName } from './closed-structure.js';
import { largestNumber } from './largest-number.js';
import type { LayeredDocument, LayeredFile, LayerTreatment } from './layered-file.js';
import type { TextChange } from './text-change.js';

/** A document of WebAnno TSV 3 with all its layers. Throws `corpus-invalid`. */
export function webannoLayers(
  content: string,
  origin: string,
  treatment: LayerTreatment,
): LayeredFile {
  const document = new WebannoDocument(content, origin, treatment);
  return {
    documents: [document],
    get removed() {
      return document.removed;
    },
    format: () => document.content,
  };
}

/** No annotation, or one without a value. */
const EMPTY = /^[_*]?$/;
const NUMBER = /(?<!\\)\[(\d{1,9})\]/g;

/**
 * Where the text stays, the rows are the file's own, with the entities that were found in the cells of their layer.
 * Where it changes, tokens do too, so that sentences, tokens and labels are written anew, and all other
 * layers are taken out.
 */
class WebannoDocument implements LayeredDocument {
  readonly text: string;
  removed = 0;
  readonly #document: Document;

  constructor(
    public content: string,
    origin: string,
    private readonly treatment: LayerTreatment,
  ) {
    this.#document = checkedDocument(parseWebanno(content, '', origin), { overlaps: 'keep' });
    this.text = this.#document.text;
  }

  change(change: TextChange): void {
    const isKept = this.treatment === 'annotate';
    this.content = isKept ? withFound(this.content, change.spans) : this.#anew(change);
  }

  #anew(change: TextChange): string {
    const kept = this.#document.spans.flatMap(({ type, start, end }) => {
      const moved = {
        ...{ type, start: change.moved(start, 'start'), end: change.moved(end, 'end') },
      };
      return isName(type) && moved.end > moved.start ? [moved] : [];
    });
    this.removed += this.#document.spans.length - kept.length + otherCells(this.content);
    const spans = [...kept, ...change.spans].sort((a, b) => a.start - b.start || a.end - b.end);
    return formatWebanno({ ...this.#document, text: change.after, spans }).text;
  }
}

interface Columns {
  /** What each column holds, by layer and feature. */
  readonly all: readonly { readonly layer: string; readonly isLabel: boolean }[];
  /** The columns of named entities, and which of them holds the label. */
  readonly entities: readonly number[];
  readonly label: number | undefined;
}

function columnsOf(lines: readonly string[]): Columns {
  const all = lines.flatMap((line) => {
    const [whole, kind = '', layer = '', declared = ''] = WEBANNO_LAYER.exec(line) ?? [];
    if (whole === undefined) return [];
    const features = declared === '' ? [''] : declared.slice(1).split('|');
    const named = features.filter((name) => /^\w+$/.test(name) && !name.startsWith('ROLE_'));
    const label = kind === 'SP' && isSpanLayer(layer) ? labelFeature(named) : undefined;
    return features.map((feature) => ({ layer, isLabel: feature === label }));
  });
  const entities = all.flatMap(({ layer }, index) => (layer === NAMED_ENTITY ? [index] : []));
  return { all, entities, label: entities.find((index) => all[index]?.isLabel) };
}

/** Cells with something in them that is no label of a span. */
function otherCells(content: string): number {
  const lines = content.split(/\r?\n/);
  const { all } = columnsOf(lines);
  return lines.reduce((count, line) => {
    const head = WEBANNO_UNIT.exec(line)?.[0];
    if (head === undefined) return count;
    const cells = line
      .slice(head.length)
      .split('\t')
      .slice(1, all.length + 1);
    return count + cells.filter((cell, i) => !all[i]?.isLabel && !EMPTY.test(cell)).length;
  }, 0);
}

/** A token, or a part of one, and its cells. */
interface Row {
  readonly unit: string;
  readonly start: number;
  readonly end: number;
  readonly covered: string;
  readonly cells: string[];
}

function withFound(content: string, found: readonly Span[]): string {
  if (found.length === 0) return content;
  const ending = content.includes('\r\n') ? '\r\n' : '\n';
  const lines = content.split(/\r?\n/);
  const columns = columnsOf(lines);
  const isNew = columns.label === undefined;
  const width = columns.all.length + Number(isNew);
  const label = columns.label ?? columns.all.length;
  const parsed = lines.map((line) => rowOf(line, width) ?? line);
  let next = largestNumber(
    [...content.matchAll(NUMBER)].map(([, number]) => Number(number)),
    0,
  );
  const rows = parsed.filter((each): each is Row => typeof each !== 'string');
  const added = new Map<Row, Row[]>();
  for (const span of found) {
    const held = rows
      .filter(({ unit, start, end }) => !unit.includes('.') && start < span.end && end > span.start)
      .map((token) => partOf(token, span, rows, added, width));
    const isStacked = held.some(({ cells }) => cells[label] !== '_');
    const number = held.length > 1 || isStacked ? ++next : undefined;
    for (const { cells } of held)
      for (const column of isNew ? [label] : columns.entities) {
        const value =
          column === label ? cellValue(span, number) : number === undefined ? '*' : `*[${number}]`;
        cells[column] = cells[column] === '_' ? value : `${cells[column]}|${value}`;
      }
  }
  const last = lines.findLastIndex((line) => /^#(FORMAT|T_)/.test(line));
  return parsed
    .flatMap((line, index) => {
      const own = typeof line === 'string' ? [line] : rowText(line, added);
      return isNew && index === last ? [...own, `#T_SP=${NAMED_ENTITY}|value`] : own;
    })
    .join(ending);
}

function rowOf(line: string, width: number): Row | undefined {
  const [head, unit = '', from, to] = WEBANNO_UNIT.exec(line) ?? [];
  if (head === undefined) return undefined;
  const [covered = '', ...own] = line.slice(head.length).split('\t');
  const cells = Array.from({ length: width }, (_, i) => own[i] || '_');
  return { unit, start: Number(from), end: Number(to), covered, cells };
}

/** The row of a token, or of the part of it that a span covers, which is added where there is none. */
function partOf(
  token: Row,
  span: Span,
  rows: readonly Row[],
  added: Map<Row, Row[]>,
  width: number,
): Row {
  const [start, end] = [Math.max(token.start, span.start), Math.min(token.end, span.end)];
  if (start === token.start && end === token.end) return token;
  const parts = rows.filter(({ unit }) => unit.startsWith(`${token.unit}.`));
  // Behind the parts that there are.
  const before = parts.at(-1) ?? token;
  const beside = added.get(before) ?? [];
  const known = [...parts, ...beside].find((row) => row.start === start && row.end === end);
  if (known) return known;
  const numbers = parts.map(({ unit }) => Number(unit.slice(token.unit.length + 1)));
  const part: Row = {
    unit: `${token.unit}.${Math.max(0, ...numbers) + beside.length + 1}`,
    ...{ start, end, covered: token.covered.slice(start - token.start, end - token.start) },
    cells: Array.from({ length: width }, () => '_'),
  };
  added.set(before, [...beside, part]);
  return part;
}

/** A row, and the parts of a token that were added behind it. */
function rowText(row: Row, added: ReadonlyMap<Row, readonly Row[]>): string[] {
  return [row, ...(added.get(row) ?? [])].map(
    ({ unit, start, end, covered, cells }) =>
      `${unit}\t${start}-${end}\t${covered}\t${cells.join('\t')}\t`,
  );
}
