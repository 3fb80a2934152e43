import { allLocales, base, en, Faker, generateMersenne53Randomizer } from '@faker-js/faker';

export type Locale = keyof typeof allLocales;

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
      faker = new Faker({ locale: [allLocales[locale], en, base], randomizer: this.#randomizer });
      this.#fakers.set(locale, faker);
    }
    return faker;
  }
}
