import { createHmac, randomBytes } from 'node:crypto';
import { secretDraws } from '../../../../models/surrogates/draws.js';
import { drawnShift, type SurrogateShift } from '../../../../models/surrogates/surrogate-shift.js';

/** To the past alone: what else the patient has may be of today. */
const MAX_SHIFT_DAYS = 728;
const ID_CHARACTERS = 32;

/**
 * What stands for identifiers and by how many days dates move: the same for the same one in a run, and
 * unlike in every run, because the key is drawn at its start and forgotten with it.
 */
export class Renaming {
  readonly #key = randomBytes(32);

  /** 128 bits in hex, for an identifier of a kind, e.g. `Patient` and the id of one. */
  id(kind: string, value: string): string {
    return this.#digest(`id ${kind} ${value}`).toString('hex').slice(0, ID_CHARACTERS);
  }

  /** The same in the form of a UUID (RFC 9562 version 8, whose bits are free). */
  uuid(value: string): string {
    const hex = this.id('uuid', value.toLowerCase());
    const part = (from: number, to: number) => hex.slice(from, to);
    return `${part(0, 8)}-${part(8, 12)}-8${part(13, 16)}-a${part(17, 20)}-${part(20, 32)}`;
  }

  /** By how many days the dates of a patient move, from -728 to -1. */
  days(patient: string): number {
    return -1 - (this.#digest(`days ${patient}`).readUInt32BE() % MAX_SHIFT_DAYS);
  }

  /**
   * By how much the dates and ages in the texts of a patient move. One for all of them: of a date that stands in many texts,
   * each of which moved it by its own, the middle of what it became would say what it was.
   */
  textShift(patient: string): SurrogateShift {
    return drawnShift(secretDraws(this.#digest(`texts ${patient}`)));
  }

  #digest(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}
