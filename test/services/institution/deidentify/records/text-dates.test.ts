import { describe, expect, test } from '@jest/globals';
import { deidentifyCda } from '../../../../../services/institution/deidentify/records/cda/deidentify-cda.js';
import { RecordContext } from '../../../../../services/institution/deidentify/records/record-context.js';
import { RecordCounts } from '../../../../../services/institution/deidentify/records/record-counts.js';
import { Renaming } from '../../../../../services/institution/deidentify/records/renaming.js';
import { withEdits } from '../../../../../services/institution/deidentify/records/text-edits.js';
import { ReplacedText } from '../../../../../services/institution/deidentify/replaced-text.js';
import { cleaned, type Resource } from './cleaned-resource.js';

const BORN = '1961-04-17';
const AGE = '57 years';

/** A run with surrogates, whose pipeline finds dates and ages. */
function surrogates(): RecordContext {
  const renaming = new Renaming();
  return new RecordContext(
    async (text, shift) => {
      const found = Array.from(
        text.matchAll(/\d{4}-\d\d-\d\d|\d+ years/g),
        ({ 0: phi, index }) => ({
          ...{
            start: index,
            end: index + phi.length,
            type: phi.endsWith('years') ? 'AGE' : 'DATE',
          },
        }),
      );
      const replaced = new ReplacedText(text, found, { treatment: 'surrogate', shift });
      const spans = found.map((span) => replaced.replace(span));
      const clean = replaced.end();
      return found.map(({ start, end }, i) => {
        const placed = spans[i];
        return { start, end, text: clean.slice(placed?.start, placed?.end) };
      });
    },
    renaming,
    new RecordCounts(),
  );
}

const note = (subject: string, number: number) => ({
  resourceType: 'DocumentReference',
  subject: { reference: `Patient/${subject}` },
  date: BORN,
  description: `Note ${number}: born ${BORN}, ${AGE}`,
  text: { status: 'generated', div: `<div>${number}: born ${BORN}, ${AGE}</div>` },
  content: [
    {
      attachment: {
        contentType: 'text/plain',
        data: Buffer.from(`Seen ${number} times, born ${BORN}, ${AGE}`).toString('base64'),
      },
    },
  ],
});

/** What became of the date, or of the age, in each text of some resources. */
function inTexts(resources: readonly Resource[], pattern: RegExp): string[] {
  return resources.flatMap(({ description, text, content }) =>
    [
      ...[description, text.div],
      Buffer.from(content[0].attachment.data, 'base64').toString(),
    ].flatMap((each: string) => pattern.exec(each)?.[0] ?? []),
  );
}

describe('dates and ages in the texts of a patient', () => {
  const DATE = /\d{4}-\d\d-\d\d/;

  test('move alike in all resources of FHIR, so that no middle of many is what they were', async () => {
    const context = surrogates();
    const found: Resource[] = [];
    for (let number = 0; number < 30; number++)
      found.push(await cleaned(note('1', number), context));
    const dates = inTexts(found, DATE);
    expect(dates).toHaveLength(90);
    expect(new Set(dates).size).toBe(1);
    expect(dates).not.toContain(BORN);
    expect(new Set(inTexts(found, /\d+ years/)).size).toBe(1);
  });

  test('come to lie earlier, as the elements around them do', async () => {
    const context = surrogates();
    const today = new Date().toISOString().slice(0, 10);
    for (let patient = 0; patient < 30; patient++) {
      const found = await cleaned(
        { ...note(`${patient}`, 1), text: undefined, date: today, description: `seen ${today}` },
        context,
      );
      expect(found.date < today).toBe(true);
      expect((DATE.exec(found.description)?.[0] ?? today) < today).toBe(true);
    }
  });

  test('move by another number for another patient, and than the elements around them', async () => {
    const context = surrogates();
    const found: Resource[] = [];
    for (let patient = 0; patient < 20; patient++)
      found.push(await cleaned({ ...note(`${patient}`, 1), text: undefined }, context));
    const dates = found.map(({ description }) => DATE.exec(description)?.[0]);
    expect(new Set(dates).size).toBeGreaterThan(10);
    expect(found.filter(({ date }, i) => date === dates[i]).length).toBeLessThan(10);
  });

  test('move alike in all documents of CDA', async () => {
    const context = surrogates();
    const document = (patient: string, number: number) =>
      '<ClinicalDocument xmlns="urn:hl7-org:v3"><recordTarget><patientRole>' +
      `<id root="1.2.3" extension="${patient}"/></patientRole></recordTarget><title>${number}: ${BORN}</title>` +
      `<text>${number} times, born ${BORN}</text></ClinicalDocument>`;
    const dates = async (patient: string, count: number) => {
      const found: string[] = [];
      for (let number = 0; number < count; number++) {
        const clean = await deidentifyCda(document(patient, number), context, `f${number}`);
        found.push(...Array.from(clean.matchAll(/\d{4}-\d\d-\d\d/g), ([date]) => date));
      }
      return found;
    };
    const own = await dates('1', 20);
    expect(own).toHaveLength(40);
    expect(new Set(own).size).toBe(1);
    const others: string[] = [];
    for (let patient = 2; patient < 22; patient++) others.push(...(await dates(`${patient}`, 1)));
    expect(new Set(others).size).toBeGreaterThan(10);
  });

  test.each(['', '<id nullFlavor="UNK"/>'])(
    'move apart in documents of CDA whose patients have no identifier but their provider’s (%s)',
    async (id) => {
      const context = surrogates();
      const moved = async (number: number) => {
        const clean = await deidentifyCda(
          `<ClinicalDocument xmlns="urn:hl7-org:v3"><recordTarget><patientRole>${id}` +
            '<patient><birthTime value="19750501"/></patient><providerOrganization><id root="1.2.3"/>' +
            '</providerOrganization></patientRole></recordTarget></ClinicalDocument>',
          context,
          `f${number}`,
        );
        return /birthTime value="(\d+)"/.exec(clean)?.[1];
      };
      const found = await Promise.all(Array.from({ length: 20 }, (_, i) => moved(i)));
      expect(found).not.toContain(undefined);
      expect(new Set(found).size).toBeGreaterThan(10);
    },
  );

  test('move alike in a text that comes again, and not for another patient', async () => {
    const context = surrogates();
    const text = `born ${BORN}`;
    const of = async (patient: string) => withEdits(text, await context.edits(text, patient));
    expect(await of('1')).toBe(await of('1'));
    const others = await Promise.all(Array.from({ length: 20 }, (_, i) => of(`${i}`)));
    expect(new Set(others).size).toBeGreaterThan(10);
  });
});
