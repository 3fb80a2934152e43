import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import { FIGURE_FONT } from './figure.js';
import { FIGURE_WIDTH } from './plot.js';

/** Twice the size of the figure, for screens and print. */
const WIDTH = 2 * FIGURE_WIDTH;

const OPEN_SANS = createRequire(import.meta.url).resolve(
  '@expo-google-fonts/open-sans/400Regular/OpenSans_400Regular.ttf',
);

/** A figure as PNG. Its letters come from a package, so that it looks alike on every machine. */
export function pngOf(svg: string): Uint8Array {
  const font = {
    loadSystemFonts: false,
    fontFiles: [OPEN_SANS],
    defaultFontFamily: FIGURE_FONT,
  };
  const fitTo = { mode: 'width', value: WIDTH } as const;
  return new Resvg(svg, { font, fitTo }).render().asPng();
}
