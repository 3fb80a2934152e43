import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Figure, figureSvg } from '../models/charts/figure.js';
import { PngRenderer } from '../models/charts/png.js';
import { writeAtomically } from '../platform/files/draft-file.js';

/** Writes files below a directory, figures as SVG and, where this machine has a font, as PNG too. */
export class FigureFiles {
  readonly names: string[] = [];

  private constructor(
    private readonly directory: string,
    private readonly renderer: PngRenderer | null,
  ) {}

  static async open(directory: string): Promise<FigureFiles> {
    return new FigureFiles(directory, await PngRenderer.create());
  }

  /** False where figures are SVG alone. */
  get png(): boolean {
    return this.renderer !== null;
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    const file = path.join(this.directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeAtomically(file, content);
    this.names.push(name);
  }

  async draw(name: string, figure: Figure): Promise<void> {
    const svg = figureSvg(figure);
    await this.write(`${name}.svg`, svg);
    if (this.renderer) await this.write(`${name}.png`, this.renderer.png(svg));
  }

  async close(): Promise<void> {
    await this.renderer?.close();
  }
}
