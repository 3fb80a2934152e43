/** What a reader or writer passed over or changed without refusing the document. */
const REMARKS = {
  relations: 'relations, not read',
  events: 'events, not read',
  attributes: 'attributes, not read',
  normalisations: 'normalisations, not read',
  notes: 'notes, not read',
  equivalences: 'equivalences, not read',
  otherElements: 'elements beside TEXT and TAGS, not read',
  otherLayers: 'annotations of layers without entities, not read',
  emptySpans: 'annotations of no character, not read',
  fragments: 'further parts of discontinuous annotations, kept as spans of their own',
  repeatedSpans: 'spans stated twice, kept once',
  iob1Documents: 'documents with IOB1 tags',
  iob2Documents: 'documents with IOB2 tags',
  bioesDocuments: 'documents with BIOES tags',
  irregularTags: "tags that break their document's scheme, read as the start of a span",
  widenedSpans: 'spans that ended within a token, widened to it',
  trimmedSpans: 'spans with white space at an end, written without it',
  blankedSpace: 'documents that begin with white space, written as blanks',
  lostSpans: 'spans without a token of their own, not written',
} as const;

export type Remark = keyof typeof REMARKS;

/** Remarks with the number of times that each was made. */
export type RemarkCounts = Partial<Record<Remark, number>>;

/** Remarks gathered over a corpus. */
export class Remarks {
  readonly counts: RemarkCounts = {};

  add(counts: RemarkCounts): void {
    for (const [remark, count] of Object.entries(counts) as [Remark, number][])
      if (count > 0) this.counts[remark] = (this.counts[remark] ?? 0) + count;
  }

  /** One line a remark, for people. */
  lines(): string[] {
    return Object.entries(this.counts).map(
      ([remark, count]) => `${count} ${REMARKS[remark as Remark]}`,
    );
  }
}
