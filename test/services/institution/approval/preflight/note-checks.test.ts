import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readPublicKey } from '../../../../../models/bundle/key-files.js';
import { verifyBundle } from '../../../../../models/bundle/verify.js';
import { createInventory } from '../../../../../models/surrogates/create-inventory.js';
import { readOwnForms } from '../../../../../models/surrogates/own-forms.js';
import { loadLabelScheme } from '../../../../../models/text/label-scheme.js';
import { Checklist } from '../../../../../services/institution/approval/preflight/checklist.js';
import { checkNotes } from '../../../../../services/institution/approval/preflight/note-checks.js';
import type { PreflightOptions } from '../../../../../services/institution/approval/preflight/preflight-options.js';
import { publishedSite } from '../../published-site.js';
import { embeddingsOf } from '../../publisher.js';

const NAMES = ['Ana', 'Luis', 'Eva', 'Juan', 'Marta', 'Pedro', 'Rosa', 'Hugo', 'Irene', 'Pablo'];

/** Lines of JSON: a name stands where the label says. */
function notesOf(count: number, label: string): string {
  const lines = Array.from({ length: count }, (_, i) => {
    const name = NAMES[i % NAMES.length] as string;
    const text = `Paciente ${name} vive aquí número ${i}. Sin fiebre.`;
    const spans = [{ start: 9, end: 9 + name.length, label }];
    return JSON.stringify({ id: `note-${i}`, text, spans });
  });
  return `${lines.join('\n')}\n`;
}

describe('notes before they are encoded', () => {
  const site = publishedSite([...NAMES.map((name) => name.toLowerCase()), 'paciente', 'vive']);
  let notes: string;
  beforeAll(async () => {
    notes = site.at('notes.jsonl');
    await writeFile(notes, notesOf(24, 'PHI'));
  });

  /** With `scores` in the place of those that the manifest states, and `training` beside what it does. */
  async function checked(
    options: Partial<PreflightOptions>,
    scores: Readonly<Record<string, number>> = {},
    training: Readonly<Record<string, string>> = {},
  ) {
    const { publisher } = site;
    const trust = { trustedKeys: [await readPublicKey(publisher.publicKeyFile)] };
    const bundle = await verifyBundle(publisher.representation, trust);
    const { manifest } = bundle;
    const checklist = new Checklist();
    await checkNotes(
      checklist,
      {
        ...{ model: publisher.representation, embeddings: publisher.embeddingsFile, trust },
        ...{ home: site.root, audits: [], ...options },
      },
      {
        bundle: {
          ...bundle,
          manifest: { ...manifest, scores, training: { ...manifest.training, ...training } },
        },
        embeddings: await embeddingsOf(publisher),
      },
    );
    return Object.fromEntries(checklist.checks.map((check) => [check.name, check]));
  }

  test('are not spoken of where none are given', async () => {
    expect(await checked({})).toEqual({});
  });

  test('have labelled entities that the scheme takes for text, which are counted by type', async () => {
    const mixed = site.at('mixed.jsonl');
    await writeFile(
      mixed,
      notesOf(24, 'PHI') + notesOf(12, 'NICKNAME').replaceAll('note-', 'other-'),
    );
    const { name, version, types, map } = loadLabelScheme('phi-binary');
    const described = { name, version, types, description: 'Nicknames are text.' };
    const labelScheme = site.at('scheme.json');
    await writeFile(labelScheme, JSON.stringify({ ...described, map: { ...map, NICKNAME: null } }));
    const checks = await checked({ notes: mixed, policy: { labelScheme } as never });
    expect(checks.notes?.finding).toBe(
      '36 looked at, 36 labelled entities, all of types that the model knows; of them it takes for text, so that they leave ' +
        'as they stand: NICKNAME (12)',
    );
  });

  test('are counted, with the words that have no vector, and the limit of a missed name', async () => {
    const checks = await checked({ notes });
    expect(checks.notes).toMatchObject({
      passed: true,
      finding: '24 looked at, 24 labelled entities, all of types that the model knows',
    });
    expect(checks.words?.finding).toMatch(
      /^of the words 37\.5 % have a vector of their own, 0\.0 % one of their parts, 62\.5 % none; of PHI 100\.0 %/,
    );
    expect(checks['limit on these notes']).toMatchObject({
      passed: true,
      finding: expect.stringMatching(
        /in at most \d+\.\d % .* of 24 pairs, .*, of 24 notes, .*too few .*; the model states none$/,
      ),
    });
    expect(checks['trial on these notes']?.passed).toBeNull();
    expect(JSON.stringify(checks)).not.toMatch(new RegExp(NAMES.join('|')));
  });

  test('are told to be more open than the model states', async () => {
    const name = 'limit of every attack on pairs, validation notes';
    const lax = await checked({ notes }, { [name]: 0.99 });
    expect(lax['limit on these notes']?.passed).toBe(true);
    const strict = await checked({ notes }, { [name]: 0.5, [`${name}, 95 % interval to`]: 0.5 });
    expect(strict['limit on these notes']).toMatchObject({
      passed: false,
      finding: expect.stringContaining('which does not hold here'),
      advice: expect.stringContaining('--reader'),
    });
  });

  test('are held to what the model states of held-out notes, where it states that', async () => {
    const stated = (kind: string) => `limit of every attack on pairs, ${kind}`;
    const checks = await checked(
      { notes },
      { [stated('validation notes')]: 0.5, [stated('held-out notes')]: 0.99 },
    );
    expect(checks['limit on these notes']).toMatchObject({
      passed: true,
      finding: expect.stringMatching(/the model states 99\.0 % of held-out notes$/),
    });
  });

  test('are told where numbers moved otherwise in what the model states', async () => {
    const name = 'limit of every attack on pairs, validation notes';
    const checks = await checked(
      { notes },
      { [name]: 0.99 },
      { 'numbers move among': 'neighbours' },
    );
    expect(checks['limit on these notes']?.finding).toMatch(
      /99\.0 % of validation notes, numbers moved to near ones alone$/,
    );
  });

  test('of one patient are one of those that a limit is of', async () => {
    const patients = site.at('patients.jsonl');
    const idOf = (i: number) => `10${i % 4}-${10 + Math.floor(i / 4)}`;
    await writeFile(
      patients,
      notesOf(24, 'PHI').replace(/"note-(\d+)"/g, (_, i) => `"${idOf(Number(i))}"`),
    );
    const checks = await checked({ notes: patients });
    expect(checks['limit on these notes']?.finding).toMatch(/of 24 pairs, .*, of 4 notes, /);
  });

  test('without a name have no limit, rather than a perfect one', async () => {
    const nameless = site.at('nameless.jsonl');
    const note = { id: 'a', text: 'Paciente vive.', spans: [] };
    await writeFile(nameless, `${JSON.stringify(note)}\n`);
    const checks = await checked({ notes: nameless });
    expect(checks['limit on these notes']).toMatchObject({
      passed: false,
      finding: expect.stringContaining('no labelled word of these notes can be moved'),
    });
  });

  test('are compared with what would replace their entities, by how both are written', async () => {
    // The publisher's inventory has words in lower case.
    const otherwise = await checked({ notes });
    expect(otherwise.surrogates).toMatchObject({
      passed: true,
      finding: expect.stringMatching(
        /otherwise than .*, of 1 of 1 types: alike in PHI 0\.0 % \(100\.0 %\);.*--own-forms\)$/,
      ),
    });
    const forms = readOwnForms('house.json', '{"forms": {"PHI": ["Marta", "Sonia"]}}');
    const inventory = await createInventory(loadLabelScheme('phi-binary'), { ownForms: [forms] });
    const alike = await checked({ notes, inventory });
    expect(alike.surrogates?.finding).toMatch(/^written much as .*, of all 1 types/);
    expect((await checked({ notes, entities: 'kept' })).surrogates?.passed).toBeNull();
    expect(JSON.stringify([otherwise, alike])).not.toMatch(new RegExp(NAMES.join('|')));
  });

  test('of other types are refused with the types, and where the first stands', async () => {
    const other = site.at('other.jsonl');
    await writeFile(other, notesOf(2, 'PHI') + notesOf(2, 'NICKNAME'));
    const checks = await checked({ notes: other });
    expect(checks.notes).toMatchObject({
      passed: false,
      finding: expect.stringMatching(/ \(first at \S+other\.jsonl:3\): .* has no NICKNAME; /),
      advice: expect.stringContaining('scheme file'),
    });
    expect(checks.words?.passed).toBeNull();
  });

  test('are learned from, as text and as releases, and measured on others', async () => {
    const checks = await checked({ notes, trial: true });
    expect(checks['trial on these notes']).toMatchObject({
      passed: true,
      finding: expect.stringMatching(
        /^on 6 notes, too few to be sure of, after learning from 18: by their text F1 \d+\.\d %, recall .*; by their releases, .* F1 /,
      ),
    });
  }, 120_000);

  test('are too few for a trial where all are copies of two', async () => {
    const copies = site.at('copies.jsonl');
    await writeFile(
      copies,
      notesOf(12, 'PHI').replace(/"note-(\d+)"/g, (_, i) => `"note-${i % 2}"`),
    );
    const checks = await checked({ notes: copies, trial: true });
    expect(checks['trial on these notes']).toMatchObject({
      passed: false,
      finding: expect.stringContaining('found 12 of 2'),
    });
  });

  test('are too few for a trial', async () => {
    const few = site.at('few.jsonl');
    await writeFile(few, notesOf(11, 'PHI'));
    const checks = await checked({ notes: few, trial: true });
    expect(checks['trial on these notes']?.finding).toContain('12 notes at least');
  });
});
