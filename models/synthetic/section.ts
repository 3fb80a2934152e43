const SECTION_NAMES = [
  'presentation',
  'history',
  'medication',
  'social',
  'family',
  'examination',
  'results',
  'imaging',
  'course',
  'nursing',
  'operation',
  'plan',
  'contact',
  'impression',
  'letter',
  'closing',
] as const;

export type SectionName = (typeof SECTION_NAMES)[number];
