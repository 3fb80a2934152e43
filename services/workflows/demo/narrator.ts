import type { Context } from '../context.js';

const WIDTH = 88;

/** Tells a visitor what happens and why: numbered steps, each with a sentence or two. */
export class Narrator {
  #step = 0;

  constructor(
    private readonly context: Context,
    private readonly steps: number,
  ) {}

  /** Opens a step: who acts and what for. */
  step(who: string, what: string): void {
    this.#step += 1;
    this.context.say('');
    this.context.say(`[${this.#step}/${this.steps}] ${who}`);
    this.tell(what);
  }

  /** A sentence of explanation, wrapped and indented under its step. */
  tell(text: string): void {
    let line = '     ';
    for (const word of text.split(' ')) {
      if (line.length + word.length + 1 > WIDTH) {
        this.context.say(line);
        line = '     ';
      }
      line += ` ${word}`;
    }
    this.context.say(line);
  }
}
