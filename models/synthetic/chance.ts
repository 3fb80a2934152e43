import {
  base,
  de,
  en,
  en_AU,
  en_CA,
  en_GB,
  en_GH,
  en_IE,
  en_IN,
  en_NG,
  en_US,
  es,
  es_MX,
  Faker,
  fr,
  generateMersenne53Randomizer,
  it,
  nb_NO,
  nl,
  pl,
  sv,
} from '@faker-js/faker';

const LOCALES = {
  de,
  en_AU,
  en_CA,
  en_GB,
  en_GH,
  en_IE,
  en_IN,
  en_NG,
  en_US,
  es,
  es_MX,
  fr,
  it,
  nb_NO,
  nl,
  pl,
  sv,
};

export type Locale = keyof typeof LOCALES;

/** Every later draw of a generator comes from here, its identities included. */
export class Chance {
  readonly #randomizer = generateMersenne53Randomizer();
  readonly #fakers = new Map<Locale, Faker>();

  constructor(seed: readonly number[]) {
    this.reseed(seed);
  }

  /** Starts over; `seed` holds 32-bit unsigned integers. */
  reseed(seed: readonly number[]): void {
    this.#randomizer.seed([...seed]);
  }

  /** Uniform in [0, 1). */
  fraction(): number {
    return this.#randomizer.next();
  }

  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** Uniform over the integers from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.fraction() * items.length)] as T;
  }

  /** `count` different items, or all where there are fewer. */
  sample<T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    const drawn: T[] = [];
    while (drawn.length < count && left.length > 0)
      drawn.push(...left.splice(this.integer(0, left.length - 1), 1));
    return drawn;
  }

  /** Fills a pattern: `#` a digit, `!` a digit from 2 to 9, `?` a capital letter. */
  fill(pattern: string): string {
    return pattern.replace(/[#!?]/g, (sign) => {
      if (sign === '?') return String.fromCharCode(65 + this.integer(0, 25));
      return String(this.integer(sign === '!' ? 2 : 0, 9));
    });
  }

  /** The names and places of a part of the world; English where it has none of its own. */
  faker(locale: Locale): Faker {
    let faker = this.#fakers.get(locale);
    if (faker === undefined) {
      faker = new Faker({ locale: [LOCALES[locale], en, base], randomizer: this.#randomizer });
      this.#fakers.set(locale, faker);
    }
    return faker;
  }
}
