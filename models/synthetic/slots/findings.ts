import { LEXICON } from '../lexicon.js';
import { plain } from '../phi.js';
import type { Scene } from '../scene.js';
import type { SlotTable } from '../slot.js';

const one =
  (draw: (scene: Scene) => string): SlotTable[string] =>
  (scene) => [plain(draw(scene))];

const from = (items: readonly string[]) => one(({ chance }) => chance.pick(items));

/** Clinical content, none of it PHI. */
export const FINDINGS: SlotTable = {
  title: one(({ house, kind }) => house.noteTitles[kind]),
  condition: one(({ condition }) => condition.name),
  symptom: one(({ condition, chance }) => chance.pick(condition.symptoms)),
  symptoms: one(({ condition, chance }) => list(chance.sample(condition.symptoms, 2))),
  sign: one(({ condition, chance }) => chance.pick(condition.signs)),
  signs: one(({ condition, chance }) => list(chance.sample(condition.signs, 2))),
  study: one(({ condition }) => condition.study),
  finding: one(({ condition, chance }) => chance.pick(condition.findings)),
  findings: one(({ condition, chance }) => list(chance.sample(condition.findings, 2))),
  drug: one(({ condition, chance }) => chance.pick(condition.drugs)),
  procedure: one(({ condition }) => condition.procedure),
  comorbidity: one(({ comorbidities, chance }) => chance.pick(comorbidities)),
  comorbidities: one(({ comorbidities }) => list(comorbidities)),
  medicine: from(LEXICON.medicines),
  medicines: one(({ chance }) => chance.sample(LEXICON.medicines, chance.integer(2, 4)).join(', ')),
  allergen: from(LEXICON.allergens),
  lab: one(({ chance }) => chance.fill(chance.pick(LEXICON.laboratory))),
  labs: one(({ chance }) => chance.fill(chance.sample(LEXICON.laboratory, 3).join(', '))),
  score: from(LEXICON.scores),
  level: from(LEXICON.levels),
  organism: from(LEXICON.organisms),
  'eponym.device': from(LEXICON.devices),
  'eponym.sign': from(LEXICON.signs),
  'eponym.disease': from(LEXICON.ruledOut),
  'eponym.approach': from(LEXICON.approaches),
  'eponym.instrument': from(LEXICON.instruments),
  side: from(['left', 'right']),
  number: one(({ chance }) => String(chance.integer(2, 30))),
  percent: one(({ chance }) => `${chance.integer(88, 99)}%`),
  pain: one(({ chance }) => `${chance.integer(0, 10)}/10`),
  bp: one(({ chance }) => `${chance.integer(95, 178)}/${chance.integer(50, 99)}`),
  pulse: one(({ chance }) => String(chance.integer(54, 128))),
  temperature: one(({ chance }) => `${chance.integer(36, 39)}.${chance.integer(0, 9)}`),
  respirations: one(({ chance }) => String(chance.integer(12, 28))),
  ward: from(['the ward', 'the floor', 'the unit', 'step-down', 'the day unit', 'ITU']),
};

function list(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
