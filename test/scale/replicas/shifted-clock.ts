/**
 * Loaded before a server (`NODE_OPTIONS=--import`): its `Date` is off by as many milliseconds as the file says that
 * TACET_TEST_CLOCK names, and jumps when that changes.
 */
import { readFileSync } from 'node:fs';

const READ_AGAIN_MS = 50;
const file = process.env.TACET_TEST_CLOCK;
const RealDate = Date;
let offsetMs = 0;

function readOffset(): void {
  try {
    offsetMs = Number(readFileSync(String(file), 'utf8'));
  } catch {
    offsetMs = 0;
  }
}

class ShiftedDate extends RealDate {
  constructor(...values: [] | ConstructorParameters<typeof Date>) {
    if (values.length === 0) super(ShiftedDate.now());
    else super(...(values as ConstructorParameters<typeof Date>));
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

readOffset();
setInterval(readOffset, READ_AGAIN_MS).unref();
globalThis.Date = ShiftedDate as DateConstructor;
