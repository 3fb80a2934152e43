import type { Template } from './grammar.js';
import type { NoteKind } from './note.js';
import type { Scene } from './scene.js';
import type { SectionName } from './section.js';
import { SENTENCES } from './sentences.js';

/** A section of a note and its share of the text. */
interface OutlineSection {
  readonly name: SectionName;
  readonly weight: number;
}

const section = (name: SectionName, weight: number): OutlineSection => ({ name, weight });

/** The sections of each kind of note, in order. */
export const OUTLINES: Readonly<Record<NoteKind, readonly OutlineSection[]>> = {
  discharge: [
    section('presentation', 3),
    section('history', 2),
    section('social', 2),
    section('course', 4),
    section('results', 1),
    section('medication', 1),
    section('plan', 3),
    section('contact', 1),
  ],
  progress: [
    section('course', 3),
    section('examination', 3),
    section('results', 2),
    section('impression', 1),
    section('plan', 3),
  ],
  radiology: [section('presentation', 1), section('imaging', 5), section('impression', 1)],
  letter: [
    section('letter', 1),
    section('presentation', 3),
    section('history', 2),
    section('social', 2),
    section('family', 1),
    section('examination', 2),
    section('plan', 2),
    section('closing', 1),
  ],
  nursing: [section('nursing', 6), section('contact', 2)],
  triage: [
    section('presentation', 3),
    section('history', 2),
    section('examination', 2),
    section('medication', 1),
    section('plan', 1),
  ],
  operation: [
    section('presentation', 1),
    section('operation', 5),
    section('results', 1),
    section('plan', 2),
  ],
  'social work': [section('social', 5), section('family', 1), section('contact', 2)],
};

const ADULT_AGE = 18;
const RETIREMENT_AGE = 68;

/** The sentence skeletons that suit a section of this note. */
export function skeletonsOf(name: SectionName, { age, kind }: Scene): readonly Template[] {
  const child = age < ADULT_AGE;
  const working = !child && age < RETIREMENT_AGE;
  switch (name) {
    case 'presentation':
      return working ? SENTENCES.presentation : withoutWork(SENTENCES.presentation);
    case 'social':
      if (kind === 'social work') return SENTENCES.socialWork;
      if (child) return SENTENCES.childSocial;
      return working ? SENTENCES.social : withoutWork(SENTENCES.social);
    case 'plan':
      return working ? SENTENCES.plan : withoutWork(SENTENCES.plan);
    default:
      return POOLS[name];
  }
}

function withoutWork(templates: readonly Template[]): Template[] {
  return templates.filter(({ source }) => !/^(?!\[Retired).*(profession|employer)/.test(source));
}

const POOLS: Readonly<Record<SectionName, readonly Template[]>> = {
  presentation: SENTENCES.presentation,
  history: SENTENCES.history,
  medication: SENTENCES.medication,
  social: SENTENCES.social,
  family: SENTENCES.family,
  examination: SENTENCES.examination,
  results: SENTENCES.results,
  imaging: SENTENCES.imaging,
  course: SENTENCES.course,
  nursing: SENTENCES.nursing,
  operation: SENTENCES.operation,
  plan: SENTENCES.plan,
  contact: SENTENCES.contact,
  impression: SENTENCES.impression,
  letter: SENTENCES.salutation,
  closing: SENTENCES.closing,
};
