import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js';
import { FIGURE_FONT } from './figure.js';
import { FIGURE_WIDTH } from './plot.js';
import { fontOfWoff } from './woff.js';

/** Twice the size of the figure, for screens and print. */
const WIDTH = 2 * FIGURE_WIDTH;

const PROBE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="16">A</text></svg>';

/**
 * Draws figures as PNG. The renderer drops text without a word where it has no font, so the letters
 * are those of Open Sans, which comes with a tool that this project is built with; where that is not
 * installed, the system's.
 */
export class PngRenderer {
  private constructor(
    private readonly font: ResvgRenderOptions['font'],
    private readonly folder: string,
  ) {}

  /** Null where there is no font at all: a figure without text would say nothing. */
  static async create(fontFile = openSansFile()): Promise<PngRenderer | null> {
    const folder = await mkdtemp(path.join(tmpdir(), 'tacet-font-'));
    const renderer = new PngRenderer(await fontIn(folder, fontFile), folder);
    if (renderer.#draws()) return renderer;
    await renderer.close();
    return null;
  }

  png(svg: string): Uint8Array {
    const fitTo = { mode: 'width', value: WIDTH } as const;
    return new Resvg(svg, { font: this.font ?? {}, fitTo }).render().asPng();
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  #draws(): boolean {
    return new Resvg(PROBE, { font: this.font ?? {} }).render().pixels.some((byte) => byte > 0);
  }
}

async function fontIn(
  folder: string,
  woffFile: string | null,
): Promise<NonNullable<ResvgRenderOptions['font']>> {
  if (woffFile === null) return { loadSystemFonts: true };
  const file = path.join(folder, 'figure.ttf');
  await writeFile(file, fontOfWoff(await readFile(woffFile)));
  return { loadSystemFonts: false, fontFiles: [file], defaultFontFamily: FIGURE_FONT };
}

/** Open Sans (Apache 2.0) in jsdoc's template, which protobufjs-cli depends on. */
function openSansFile(): string | null {
  try {
    const cli = createRequire(import.meta.url).resolve('protobufjs-cli/package.json');
    const jsdoc = path.dirname(createRequire(cli).resolve('jsdoc/package.json'));
    const fonts = path.join(jsdoc, 'templates/default/static/fonts');
    const file = path.join(fonts, 'OpenSans-Regular-webfont.woff');
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}
