import { durationText } from '../../platform/duration-text.js';
import type { Progress, ProgressEvent } from '../../platform/progress.js';
import { terminalLine } from './terminal-text.js';

const MOST_BAR_WIDTH = 24;
const LEAST_BAR_WIDTH = 8;
const SEPARATOR = '  ';
/** Where a terminal does not say how wide it is. */
const USUAL_COLUMNS = 80;
const REDRAW_INTERVAL_MS = 80;
/** Elsewhere than on a terminal: the least time between two lines, of one step and of two. */
const PLAIN_INTERVAL_MS = 10_000;
const PLAIN_STEP_INTERVAL_MS = 2_000;
/** The same within a step that will end in a line of its own. */
const PLAIN_SIGN_OF_LIFE_MS = 60_000;

/**
 * Progress on one line that is written over, with rate and time left, on a terminal; elsewhere plain
 * lines every few seconds. On both, a step that has finished keeps a line of its own.
 */
export class TerminalProgress {
  #step = '';
  #startedMs = 0;
  #printedMs = Number.NEGATIVE_INFINITY;
  #isLineOpen = false;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  readonly report: Progress = (event) => {
    const nowMs = performance.now();
    const isNewStep = event.step !== this.#step;
    if (isNewStep) {
      this.#step = event.step;
      this.#startedMs = nowMs;
    }
    if (event.finished) {
      this.#finish(event.finished, nowMs);
      return;
    }
    if (!this.#isDue(event, isNewStep, nowMs)) return;
    this.#printedMs = nowMs;
    const seconds = (nowMs - this.#startedMs) / 1000;
    if (this.stream.isTTY) {
      this.stream.write(`\r\x1b[2K${terminalLine(fitColumns(event, seconds, this.#width()))}`);
      this.#isLineOpen = true;
    } else {
      this.stream.write(`${terminalLine(wholeLine(event, seconds))}\n`);
    }
  };

  /** Takes the progress line away, so that something else can be printed. */
  clear(): void {
    if (this.#isLineOpen) this.stream.write('\r\x1b[2K');
    this.#isLineOpen = false;
  }

  #finish(pieces: readonly string[], nowMs: number): void {
    this.clear();
    this.#printedMs = nowMs;
    const lines = this.stream.isTTY ? wrapPieces(pieces, this.#width()) : [pieces.join(SEPARATOR)];
    for (const line of lines) this.stream.write(`${terminalLine(line)}\n`);
  }

  #isDue({ willFinish }: ProgressEvent, isNewStep: boolean, nowMs: number): boolean {
    const sinceMs = nowMs - this.#printedMs;
    if (this.stream.isTTY) return isNewStep || sinceMs >= REDRAW_INTERVAL_MS;
    if (willFinish) return Math.min(sinceMs, nowMs - this.#startedMs) >= PLAIN_SIGN_OF_LIFE_MS;
    return sinceMs >= (isNewStep ? PLAIN_STEP_INTERVAL_MS : PLAIN_INTERVAL_MS);
  }

  /** The last column stays free: a terminal would break the line there. */
  #width(): number {
    return (this.stream.columns || USUAL_COLUMNS) - 1;
  }
}

/** The pieces of a progress line, each with what it is worth: the least is left out first. */
interface Piece {
  readonly text: string;
  readonly worth: number;
}

const STEP_WORTH = 5;
const BAR_WORTH = 2;

function piecesOf(
  { step, done, total, unit = '', note }: ProgressEvent,
  seconds: number,
  barWidth: number,
): Piece[] {
  const pieces: Piece[] = [{ text: step, worth: STEP_WORTH }];
  if (total !== undefined && total > 0) {
    const filled = Math.round((barWidth * Math.min(done, total)) / total);
    const bar = `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}]`;
    pieces.push({ text: bar, worth: BAR_WORTH });
  }
  if (seconds > 0.5 && done > 0) {
    const rate = done / seconds;
    pieces.push({ text: `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} ${unit}/s`, worth: 1 });
    if (total !== undefined && done < total)
      pieces.push({ text: `${durationText((total - done) / rate)} left`, worth: 4 });
  }
  if (note) pieces.push({ text: note, worth: 3 });
  return pieces;
}

function wholeLine(event: ProgressEvent, seconds: number): string {
  return joinPieces(piecesOf(event, seconds, MOST_BAR_WIDTH));
}

/** The line in `columns`: the bar shrinks first, then the pieces of least worth go. */
function fitColumns(event: ProgressEvent, seconds: number, columns: number): string {
  const spare = columns - wholeLine(event, seconds).length;
  const width = Math.max(LEAST_BAR_WIDTH, MOST_BAR_WIDTH + Math.min(0, spare));
  let pieces = piecesOf(event, seconds, width);
  while (joinPieces(pieces).length > columns && pieces.length > 1) {
    const least = Math.min(...pieces.map(({ worth }) => worth));
    pieces = pieces.filter(({ worth }) => worth !== least);
  }
  return joinPieces(pieces).slice(0, columns);
}

function joinPieces(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join(SEPARATOR);
}

/** Pieces on as many lines as they need, those after the first indented. */
function wrapPieces(pieces: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + SEPARATOR.length + piece.length <= columns)
      lines[lines.length - 1] = last + SEPARATOR + piece;
    else lines.push(lines.length === 0 ? piece : SEPARATOR + piece);
  }
  return lines;
}
