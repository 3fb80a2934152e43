/** Why something of a record was left out. */
const REMOVALS = {
  identifying: 'elements that may identify: names, numbers, addresses, telephones, photographs',
  unknown: 'elements or attributes that no rule knows',
  extensions: 'extensions',
  attachments: 'attachments that hold no plain text',
  malformed: 'values that are not of the form that their element has',
  comments: 'comments',
  entries: 'entries of bundles that could not be de-identified',
} as const;

export type Removal = keyof typeof REMOVALS;

/** What was done to records. */
export class RecordCounts {
  records = 0;
  /** Free texts that the pipeline read. */
  texts = 0;
  /** Places that it replaced. */
  spans = 0;
  readonly removed: Partial<Record<Removal, number>> = {};

  remove(why: Removal, count = 1): void {
    if (count > 0) this.removed[why] = (this.removed[why] ?? 0) + count;
  }

  /** One line a reason, for people. */
  lines(): string[] {
    return Object.entries(this.removed).map(
      ([why, count]) => `removed ${count} ${REMOVALS[why as Removal]}`,
    );
  }
}
