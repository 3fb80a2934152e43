import type { Chance } from './chance.js';
import { type Distortion, distort, drawDistortion } from './distortion.js';
import { expand, type Template } from './grammar.js';
import type { Institution } from './institution.js';
import type { Piece, SyntheticNote } from './note.js';
import { NoteText } from './note-text.js';
import { OUTLINES, skeletonsOf } from './outline.js';
import { drawScene, type Scene } from './scene.js';
import type { SectionName } from './section.js';
import { SENTENCES } from './sentences.js';
import { SLOTS } from './slots/table.js';

/** In characters, about four a token; header and footer included. */
const SHORTEST = 950;
const LONGEST = 1650;
const LEAST_NARRATIVE = 640;
const LOOK_ALIKE_SHARE = 0.2;

/** One note of an institution. */
export function writeNote(chance: Chance, house: Institution, id: string): SyntheticNote {
  const kind = chance.pick(house.kinds);
  const writer = new Writer(drawScene(chance, house, kind), drawDistortion(chance, house));
  const length = chance.integer(SHORTEST, LONGEST);
  writer.sentence(house.headers);
  writer.literal('\n\n');
  const footer = writer.draw(house.footers);
  const footerLength = footer.reduce((sum, { text }) => sum + text.length, 0);
  const start = writer.text.length;
  writer.narrative(Math.max(LEAST_NARRATIVE, length - start - footerLength));
  const end = writer.text.length;
  writer.literal('\n\n');
  writer.text.append(footer);
  return {
    id,
    institution: house.id,
    kind,
    narrative: { start, end },
    text: writer.text.finish(house.wrap),
    spans: writer.text.spans,
  };
}

class Writer {
  readonly text = new NoteText();
  readonly #used = new Set<Template>();

  constructor(
    readonly scene: Scene,
    readonly distortion: Distortion,
  ) {}

  literal(text: string): void {
    this.text.append([{ text }]);
  }

  sentence(templates: readonly Template[]): void {
    this.text.append(this.draw(templates));
  }

  /** Fills the sections of the outline, each to its share of `characters`. */
  narrative(characters: number): void {
    const { house, kind } = this.scene;
    const outline = OUTLINES[kind];
    const total = outline.reduce((sum, { weight }) => sum + weight, 0);
    let planned = this.text.length;
    outline.forEach(({ name, weight }, index) => {
      planned += (characters * weight) / total;
      if (index > 0) this.literal(house.betweenSections);
      this.#section(name, planned);
    });
  }

  #section(name: SectionName, until: number): void {
    const { chance, house } = this.scene;
    const heading = house.headings[name];
    if (heading) this.text.append([this.#distort({ text: heading + house.afterHeading })]);
    const templates = this.#habitual(skeletonsOf(name, this.scene));
    this.sentence(templates);
    if (name === 'letter') return;
    while (this.text.length < until) {
      const left = templates.filter((template) => !this.#used.has(template));
      this.literal(' ');
      const aside = left.length === 0 || chance.happens(LOOK_ALIKE_SHARE);
      this.sentence(aside ? SENTENCES.lookAlikes : left);
    }
  }

  /** The pieces of one random sentence, as this institution writes them. */
  draw(templates: readonly Template[]): Piece[] {
    const { chance } = this.scene;
    const unused = templates.filter((template) => !this.#used.has(template));
    const template = chance.pick(unused.length > 0 ? unused : templates);
    this.#used.add(template);
    const pieces = expand(
      template,
      (items) => chance.pick(items),
      (slot) => fill(slot, this.scene),
    );
    return pieces.map((piece) => this.#distort(this.#abbreviate(piece)));
  }

  /** Of each six skeletons the four that this institution's writers know, by their places among those that fit the patient. */
  #habitual(templates: readonly Template[]): readonly Template[] {
    const { dialect } = this.scene.house;
    return templates.filter((_, index) => [0, 1, 2, 4].includes((index + dialect) % 6));
  }

  #abbreviate(piece: Piece): Piece {
    const { chance, house } = this.scene;
    if (piece.type !== undefined) return piece;
    let { text } = piece;
    for (const [phrase, short] of house.abbreviations)
      if (text.includes(phrase) && chance.happens(house.abbreviationShare))
        text = text.replaceAll(phrase, short);
    return { text };
  }

  #distort(piece: Piece): Piece {
    return distort(piece, this.distortion, this.scene.chance);
  }
}

function fill(slot: string, scene: Scene): readonly Piece[] {
  const draw = SLOTS[slot];
  if (draw === undefined) throw new RangeError(`no slot is called ${slot}`);
  return draw(scene);
}
