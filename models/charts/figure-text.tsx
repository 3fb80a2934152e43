import type { VNode } from 'preact';
import { FIGURE_WIDTH, LEFT } from './plot.js';

export const LINE = 18;
export const TITLE_SIZE = 16;
export const TEXT_SIZE = 12;
/** The mean width of a letter in units of the font's size, a little more than it is. */
export const LETTER = 0.52;
/** Title and caption begin left of the plot. */
const MARGIN = LEFT - 50;

interface FigureTextProps {
  readonly lines: readonly string[];
  readonly top: number;
  readonly step: number;
  readonly size: number;
}

/** Lines of a title or a caption. */
export function FigureText({ lines, top, step, size }: FigureTextProps): VNode {
  return (
    <>
      {lines.map((line, at) => (
        <text x={MARGIN} y={top + at * step} font-size={size}>
          {line}
        </text>
      ))}
    </>
  );
}

/** Breaks a text into lines that fit the figure, by the mean width of a letter. */
export function wrap(text: string, size: number): string[] {
  const most = Math.floor((FIGURE_WIDTH - 2 * MARGIN) / (size * LETTER));
  const broken: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > most) {
      broken.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...broken, line];
}
