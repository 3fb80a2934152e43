import type { TSchema } from '../../proto/typebox.js';

/** What a route answers where it succeeds, for its OpenAPI document; nothing where it says neither. */
export interface Answer {
  /** Of the JSON. */
  readonly json?: TSchema;
  /** Media types of whatever else is answered. */
  readonly media?: readonly string[];
  /** What its headers say, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What it answers with other statuses, by status. */
  readonly others?: Readonly<Record<number, OtherAnswer>>;
}

interface OtherAnswer {
  readonly description: string;
  readonly json?: TSchema;
}

export const NO_CONTENT: Answer = {};
