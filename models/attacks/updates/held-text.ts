import type { LabelledText } from '../../networks/text-network.js';

/** A text that is attacked, told apart from all others by its number; texts of nobody have numbers below 0. */
export interface HeldText {
  readonly documentIndex: number;
  readonly text: LabelledText;
}
