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
}

/** Receives reports; never given text, tokens or PHI. */
export type Progress = (event: ProgressEvent) => void;
