import path from 'node:path';
import { type Figure, figureSvg } from '../../models/charts/figure.js';
import { pngOf } from '../../models/charts/png.js';
import { writeAtomically } from '../../platform/files/draft-file.js';

/** Writes files below a directory, figures as SVG and as PNG. */
export class FigureFiles {
  readonly names: string[] = [];

  constructor(private readonly directory: string) {}

  async write(name: string, content: string | Uint8Array): Promise<void> {
    const file = path.join(this.directory, name);
    await writeAtomically(file, content);
    this.names.push(name);
  }

  async draw(name: string, figure: Figure): Promise<void> {
    const svg = figureSvg(figure);
    await this.write(`${name}.svg`, svg);
    await this.write(`${name}.png`, pngOf(svg));
  }
}
