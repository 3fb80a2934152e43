import { pool } from '../grammar.js';

/** What was found on examination; mostly numbers and eponyms that are not PHI. */
export const EXAMINATION = pool(
  'BP {bp}, [HR|pulse] {pulse}, [T|temp] {temperature}, [RR|resp] {respirations}, [SpO2|sats] {percent} on [air|room air|2 L].',
  'On examination there [was|were] {sign}.',
  '[Exam|Examination] [notable for|showed|revealed] {signs}.',
  '{Eponym.sign} [negative|positive|absent bilaterally|equivocal on the {side}].',
  'Power {pain} [in the {side} leg|throughout]; sensation reduced below {level}.',
  'Alert, oriented, {score}.',
  'Reviewed with {colleague} at {time}: {sign}, no {eponym.sign}.',
  '{Eponym.device} [in situ|draining well|removed on {during}|to be changed on {next}].',
  'Abdomen soft; {eponym.sign} not elicited. Bowel sounds present.',
  '{Name} [looks well|is comfortable at rest|appears older than {age}][ and is afebrile|].',
  'Chest clear, heart sounds dual, calves soft.',
  'Pupils 3 mm, reactive; tone normal; plantars downgoing.',
  'Weight [today|on {today}] {pulse} kg, [up|down] 2 kg from {recent}.',
  'Compared with {weekday}, {sign} [has improved|persists|is more marked].',
  'General: [thin|well nourished|tired looking] {man}, [comfortable|in mild distress|diaphoretic], no jaundice, no edema.',
  'Neck supple, no nodes; {eponym.sign} [negative|positive]; reflexes 2+ and symmetrical.',
  'Abdomen soft with mild tenderness, no guarding, {sign}; hernial orifices intact.',
);
