import type { DateStyle } from './calendar.js';
import type { Locale } from './chance.js';
import type { Template } from './grammar.js';
import type { NoteKind } from './note.js';
import type { NameStyle } from './person.js';
import type { SectionName } from './section.js';

/** How a clinician is written: what stands around the name is not PHI. */
export interface DoctorStyle {
  readonly before: string;
  readonly name: NameStyle;
  readonly after: string;
}

/** The habits of one made-up hospital. */
export interface Institution {
  readonly id: string;
  /** From 0 to 5: which sentence skeletons its writers know. */
  readonly dialect: number;
  /** The full name, then what people call it. */
  readonly names: readonly string[];
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly postcode: string;
  readonly country: string;
  /** The part of the world that its patients live in. */
  readonly place: Locale;
  readonly region: 'state' | 'county';
  /** Its real towns, where faker knows none. */
  readonly towns?: readonly string[];
  /** The populations that names come from. */
  readonly populations: readonly Locale[];
  readonly accents: boolean;
  readonly headerDate: DateStyle;
  readonly dates: readonly DateStyle[];
  /** Dates without a year. */
  readonly shortDates: readonly DateStyle[];
  /** Patterns: `#` and `!` are digits, `?` is a letter. */
  readonly identifiers: {
    readonly record: string;
    readonly account: string;
    readonly accession: string;
    readonly postcode: string;
    readonly phones: readonly string[];
    readonly pager: string;
    /** What stands before the number of a pager. */
    readonly pagerWord: string;
  };
  readonly mailDomain: string;
  readonly headerName: NameStyle;
  readonly mentions: readonly NameStyle[];
  readonly titles: { readonly female: string; readonly male: string };
  readonly signature: readonly DoctorStyle[];
  readonly doctors: readonly DoctorStyle[];
  readonly noteTitles: Readonly<Record<NoteKind, string>>;
  readonly headers: readonly Template[];
  readonly footers: readonly Template[];
  readonly headings: Readonly<Record<SectionName, string>>;
  /** Between a heading and its text. */
  readonly afterHeading: string;
  readonly betweenSections: string;
  /** What its writers put for common phrases. */
  readonly abbreviations: readonly (readonly [phrase: string, short: string])[];
  readonly abbreviationShare: number;
  /** Shares of words. */
  readonly misspelling: number;
  readonly misreading: number;
  /** The column at which lines break, where they do. */
  readonly wrap?: number;
  /** Kinds of notes, repeated by how often it writes them. */
  readonly kinds: readonly NoteKind[];
}
