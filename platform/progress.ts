/** One report of a long piece of work, at most a few a second. */
export interface ProgressEvent {
  /** What is going on, e.g. `phase 1, epoch 3`. */
  readonly step: string;
  readonly done: number;
  /** Absent where the amount of work is unknown. */
  readonly total?: number;
  /** What `done` counts, e.g. `tokens`. */
  readonly unit?: string;
  /** A short remark such as the current loss. */
  readonly note?: string;
  /** Whether an event with `finished` will end the step. */
  readonly willFinish?: boolean;
  /** What a part of the work came to, in pieces of a line that stays: an epoch and its losses. */
  readonly finished?: readonly string[];
}

/** Receives reports; never given text, tokens or PHI. */
export type Progress = (event: ProgressEvent) => void;
