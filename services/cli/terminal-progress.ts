import type { Progress, ProgressEvent } from '../../models/progress.js';

const BAR_WIDTH = 24;
const PLAIN_INTERVAL_MS = 10_000;

/**
 * A progress bar with rate and time left on a terminal; elsewhere a plain line when a step starts
 * and every ten seconds.
 */
export function terminalProgress(stream: NodeJS.WriteStream): Progress {
  let step = '';
  let startedMs = 0;
  let printedMs = 0;
  return (event) => {
    const nowMs = performance.now();
    const fresh = event.step !== step;
    if (fresh) {
      if (step && stream.isTTY) stream.write('\n');
      step = event.step;
      startedMs = nowMs;
    }
    const line = describe(event, (nowMs - startedMs) / 1000);
    if (stream.isTTY) {
      stream.write(`\r\x1b[2K${line}`);
      if (event.total !== undefined && event.done >= event.total) {
        stream.write('\n');
        step = '';
      }
    } else if (fresh || nowMs - printedMs > PLAIN_INTERVAL_MS) {
      stream.write(`${line}\n`);
      printedMs = nowMs;
    }
  };
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
