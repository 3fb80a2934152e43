import type { VNode } from 'preact';
import { bytesText, countText } from '../../../platform/amount-text.js';
import { type Fact, Facts } from '../../../platform/pages/facts.js';
import { percent } from '../../../platform/percent-text.js';
import type { EncodeReport } from '../../institution/release/job/encode-report.js';
import type { JobBoundsReport } from '../../institution/release/job/job-bounds.js';
import { describeAsText } from '../../institution/release/notes/spans-as-text.js';

/** A job's report as whichever version wrote it. */
interface StoredReport extends Omit<EncodeReport, 'portions'> {
  readonly portions?: number | undefined;
}

/** Of reports by versions that did not say: sentences left whole, once, and no type was kept apart. */
const UNSAID = {
  ...{ inexact: 0, keptTypes: [], asText: {}, copies: 1, labelDocuments: 1 },
  ...{ alike: 0, uncommon: 0, rest: 0, redrawn: 0, pieces: 0 },
};

/** What a job let leave, what it would let leave, and what it withheld and why. */
export function JobReport({ report }: { readonly report: unknown }): VNode {
  const encoded: StoredReport = { ...UNSAID, ...(report as EncodeReport) };
  return (
    <>
      <h2>What leaves</h2>
      <Facts facts={leaving(encoded)} />
      <h2>What stays</h2>
      <Facts facts={staying(encoded)} />
      <h2>What is known of names</h2>
      <Facts facts={names(encoded)} />
    </>
  );
}

function leaving({
  documents,
  sentences,
  releasable,
  released,
  pieces,
  tokens,
  bytes,
  copies,
  labelDocuments,
  portions,
}: StoredReport): Fact[] {
  const inCopies = copies > 1 ? `, in ${copies} copies` : '';
  const upTo = perhapsLess({ releasable, released, portions });
  return [
    ['Looked at', `${countText(sentences)} sentences of ${countText(documents)} notes`],
    ['May leave', `${countText(releasable)} sentences${inCopies}${upTo}`],
    [
      'Has left',
      `${countText(released)} sentences${pieces > released ? ` in ${countText(pieces)} pieces` : ''}, ${countText(tokens)} tokens, ${bytesText(bytes)} of vectors and labels`,
    ],
    [
      'Labels',
      labelDocuments === 1
        ? 'in clear, and sentences leave whole: who holds a note may know it by its labels alone'
        : `in clear, those of each piece of ${labelDocuments} notes at least`,
    ],
  ];
}

/** Of a dry run, of which nothing has left that a later portion would have counted. */
function perhapsLess({
  releasable,
  released,
  portions = 1,
}: Pick<StoredReport, 'releasable' | 'released' | 'portions'>): string {
  const isDry = released === 0 && releasable > 0;
  if (!isDry || portions === 1) return '';
  return `; less may, since the notes were read in ${portions} portions, each counted as if it came first`;
}

function staying({
  bad,
  skipped,
  alike,
  withheld,
  rest,
  redrawn,
  labelDocuments,
  uncommon,
  suspects,
}: StoredReport): Fact[] {
  return [
    [
      'Released before',
      `${countText(skipped)} sentences: they have left as often as they may, or stand here more often than that`,
    ],
    [
      'Alike',
      `${countText(alike)} sentences, since as many leave that differ in their entities alone`,
    ],
    [
      'Withheld',
      `${countText(withheld)} sentences, by type of an entity, by how often it stands in them, by its limit, or for too few notes`,
    ],
    ...(rest > 0
      ? [['Of these, a rest', `${countText(rest)} sentences of notes that left before`] as const]
      : []),
    ...(redrawn > 0
      ? [
          [
            'Of notes drawn otherwise',
            `${countText(redrawn)} sentences of notes that left, or stand in this job, with other surrogates or in another number of copies; what stayed of those that left stays`,
          ] as const,
        ]
      : []),
    ...(labelDocuments > 1
      ? [
          [
            'Uncommon',
            `${countText(uncommon)} tokens, whose labels fewer than ${labelDocuments} notes have`,
          ] as const,
        ]
      : []),
    ...(suspects?.treatment === 'withhold'
      ? [
          [
            'Suspected',
            `${countText(suspects.sentences)} sentences, for names that nobody labelled`,
          ] as const,
        ]
      : []),
    ...(bad > 0 ? [['Not read', `${countText(bad)} notes`] as const] : []),
  ];
}

/** The statements about labelled names and about names that nobody labelled are never one. */
function names({
  entityTreatment,
  keptTypes,
  kept,
  replaced,
  entities,
  immovable,
  bounds,
  inexact,
  asText,
  suspects,
  copies,
  portions,
}: StoredReport): Fact[] {
  const textTypes = describeAsText(asText);
  const limited = certified({ entities, immovable, bounds, portions });
  return [
    ...(keptTypes.length > 0
      ? [
          [
            `Labelled ${keptTypes.join(', ')}`,
            `${countText(kept)} entities kept, not replaced; ${limited}`,
          ] as const,
        ]
      : []),
    [
      keptTypes.length > 0 ? 'Labelled, of the other types' : 'Labelled',
      entityTreatment === 'replaced'
        ? `${countText(replaced ?? 0)} entities replaced: what leaves does not depend on what they were${unlessInexact(inexact)}`
        : `kept; ${limited}`,
    ],
    ...(textTypes === undefined
      ? []
      : [
          [
            'Labelled, but no PHI by the scheme',
            `${textTypes}: neither replaced nor certified, encoded as they stand`,
          ] as const,
        ]),
    ['Not labelled', `${missed({ suspects, keptTypes })}${again(copies)}`],
  ];
}

function unlessInexact(inexact: number): string {
  return inexact > 0
    ? `, but for ${countText(inexact)} notes of a format that parts sentences itself or does not say where entities stand, as whoever wrote it may have gone by what they were`
    : '';
}

function certified({
  entities,
  immovable,
  bounds,
  portions,
}: Pick<StoredReport, 'entities' | 'immovable' | 'bounds' | 'portions'>): string {
  if (!bounds || entities === null) return 'the policy certifies none of them';
  return `${countText(entities)} certified (${countText(immovable ?? 0)} words of theirs cannot be), ${limits(bounds, portions)}`;
}

/** Versions that did not count portions took a type for withheld where one portion withheld it and others did not. */
function limits(bounds: JobBoundsReport, portions: number | undefined): string {
  const withheldTypes = portions === undefined ? [] : bounds.withheldTypes;
  const nothing = withheldTypes.length > 0 ? `; nothing leaves of ${withheldTypes.join(', ')}` : '';
  return `${limitsOfLeaving(bounds)}${nothing}`;
}

function limitsOfLeaving({ limit, entities: { after } }: JobBoundsReport): string {
  if (after.count === 0) return `none of them leaves under the limit of ${percent(limit)}`;
  return `whether one of them is itself or one of its near words, in the mean over these, nobody is right more often, by vectors and by what its type withholds, over all jobs, than in ${percent(after.median)} of the cases for the median entity and ${percent(after.maximum)} for the worst (upper ends, each below the truth in 2.5 % of cases at most; that equal sentences leave once, and other portions of a job, are not counted)`;
}

/** What a limit says of one release, of a name that left several times. */
function again(copies: number): string {
  return copies > 1
    ? `; with its note it leaves ${copies} times, which takes the noise of one release down`
    : '';
}

function missed({ suspects, keptTypes }: Pick<EncodeReport, 'suspects' | 'keptTypes'>): string {
  if (!suspects)
    return "no second reader looked for them; what leaves of one is under the model's certified limit alone, a mean, beside which single names can be wide open";
  const found = Object.entries(suspects.byType).map(([type, count]) => `${type} ${count}`);
  if (found.length === 0) return 'the second reader found none';
  const isReplaced = suspects.treatment === 'replace' && keptTypes.length > 0;
  const unlessKept = isReplaced
    ? `, unless it is of a type that is kept (${keptTypes.join(', ')})`
    : '';
  return `the second reader suspects ${found.join(', ')}: ${DONE[suspects.treatment]}${unlessKept}`;
}

const DONE = {
  report: 'they leave as they are encoded, since the policy says to report them alone',
  replace: 'each is replaced as a labelled one is',
  withhold: 'their sentences stay',
} as const;
