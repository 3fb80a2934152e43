import type { Progress, ProgressEvent } from '../../models/progress.js';

const BAR_WIDTH = 24;
const REDRAW_INTERVAL_MS = 80;
/** Elsewhere than on a terminal: the least time between two lines, of one step and of two. */
const PLAIN_INTERVAL_MS = 10_000;
const PLAIN_STEP_INTERVAL_MS = 2_000;

/**
 * Progress on one line that is written over, with rate and time left, on a terminal; elsewhere plain
 * lines every few seconds.
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
    if (nowMs - this.#printedMs < this.#interval(isNewStep)) return;
    this.#printedMs = nowMs;
    const line = describe(event, (nowMs - this.#startedMs) / 1000);
    if (this.stream.isTTY) {
      this.stream.write(`\r\x1b[2K${line.slice(0, this.stream.columns - 1)}`);
      this.#isLineOpen = true;
    } else {
      this.stream.write(`${line}\n`);
    }
  };

  /** Takes the progress line away, so that something else can be printed. */
  clear(): void {
    if (this.#isLineOpen) this.stream.write('\r\x1b[2K');
    this.#isLineOpen = false;
  }

  #interval(isNewStep: boolean): number {
    if (this.stream.isTTY) return isNewStep ? 0 : REDRAW_INTERVAL_MS;
    return isNewStep ? PLAIN_STEP_INTERVAL_MS : PLAIN_INTERVAL_MS;
  }
}

function describe({ step, done, total, unit = '', note }: ProgressEvent, seconds: number): string {
  const parts = [step];
  if (total !== undefined && total > 0) {
    const filled = Math.round((BAR_WIDTH * Math.min(done, total)) / total);
    parts.push(`[${'='.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}]`);
  }
  if (seconds > 0.5 && done > 0) {
    const rate = done / seconds;
    parts.push(`${rate < 10 ? rate.toFixed(1) : Math.round(rate)} ${unit}/s`);
    if (total !== undefined && done < total)
      parts.push(`${Math.ceil((total - done) / rate)} s left`);
  }
  if (note) parts.push(note);
  return parts.join('  ');
}
