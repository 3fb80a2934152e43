import { describe, expect, test } from '@jest/globals';
import {
  DEFINED,
  elementsOf,
  RESOURCE_TYPES,
} from '../../../../../services/institution/deidentify/records/fhir/element-definitions.js';
import {
  ByShape,
  type ElementRule,
  isLeaf,
} from '../../../../../services/institution/deidentify/records/fhir/element-rule.js';
import {
  REFUSED,
  rulesOf,
} from '../../../../../services/institution/deidentify/records/fhir/element-rules.js';
import { cleaned } from './cleaned-resource.js';
import { PLANTED, planted } from './planted-resource.js';
import { NAME, taggedNames } from './tagged-names.js';

const accepted = Array.from(RESOURCE_TYPES).filter((type) => !REFUSED.has(type));
const everywhere = (rule: ElementRule | undefined): boolean =>
  rule !== undefined &&
  (isLeaf(rule) ||
    (rule instanceof ByShape && isLeaf(rule.primitive) && everywhere(rule.object)) ||
    (typeof rule === 'string' ? rulesOf(rule) : rule) !== undefined);

describe('the definitions of FHIR', () => {
  test('name the types of resources of R4 and of R5', () => {
    expect(RESOURCE_TYPES.size).toBe(178);
    for (const type of ['Claim', 'MedicinalProduct', 'SubscriptionStatus', 'Transport'])
      expect(RESOURCE_TYPES.has(type)).toBe(true);
    expect([...REFUSED.keys()]).toEqual(['Parameters', 'MolecularSequence']);
  });

  test('give every element of every type a rule', () => {
    const without = Array.from(DEFINED.keys())
      .filter((type) => !REFUSED.has(type))
      .flatMap((type) => {
        const rules = rulesOf(type) ?? {};
        const names = Array.from(elementsOf(type)?.keys() ?? []);
        return names.filter((name) => !everywhere(rules[name])).map((name) => `${type}.${name}`);
      });
    expect(without).toEqual([]);
  });

  test.each(
    'HumanName ContactPoint ContactDetail Contributor ExtendedContactDetail Signature VirtualServiceDetail'.split(
      ' ',
    ),
  )('lose every %s whole', (datatype) => {
    const kept = Array.from(DEFINED.keys()).flatMap((type) =>
      Array.from(elementsOf(type) ?? [])
        .filter(([name, types]) => types.includes(datatype) && rulesOf(type)?.[name] !== 'removed')
        .map(([name]) => `${type}.${name}`)
        .filter(() => !REFUSED.has(type)),
    );
    expect(kept).toEqual([]);
  });

  test.each([
    ['string', ['removed', 'text', 'code', 'version', 'country', 'identifier', 'reference']],
    ['markdown', ['removed', 'text']],
    ['base64Binary', ['removed', 'attachment']],
    ['url', ['removed']],
    ['uri', ['removed', 'uri', 'url', 'code']],
    ['canonical', ['removed', 'uri']],
    ['oid', ['removed']],
    ['uuid', ['reference']],
    ['dateTime', ['removed', 'date']],
    ['instant', ['removed', 'date', 'timestamp']],
    ['id', ['removed', 'identifier']],
    ['date', ['removed', 'date', 'birthDate']],
  ])('never keep a %s as it is', (datatype, allowed) => {
    const rules = Array.from(DEFINED.keys()).flatMap((type) =>
      Array.from(elementsOf(type) ?? [])
        .filter(([, types]) => types.includes(datatype))
        .map(([name]) => rulesOf(type)?.[name])
        .map((rule) => (rule instanceof ByShape ? rule.primitive : rule)),
    );
    const found = new Set(rules.filter((rule) => rule !== undefined));
    expect([...found].filter((rule) => !allowed.includes(rule as string))).toEqual([]);
  });

  test('are the only strings that are kept in shape: versions, statuses and the places of questions', () => {
    const codes = Array.from(DEFINED.keys()).flatMap((type) =>
      Array.from(elementsOf(type) ?? [])
        .filter(
          ([name, types]) =>
            types.includes('string') && /^(code|version)$/.test(`${rulesOf(type)?.[name]}`),
        )
        .map(([name]) => `${type}.${name}`),
    );
    expect(codes.sort()).toEqual([
      ...['Bundle.entry.response.status', 'Coding.version', 'DocumentReference.version'],
      ...['Questionnaire.item.enableWhen.question', 'Questionnaire.item.linkId'],
      'QuestionnaireResponse.item.linkId',
    ]);
  });
});

describe('PHI in every element', () => {
  test.each(accepted)('of a %s is nowhere in what it becomes', async (type) => {
    const resource = planted(type);
    const found = await cleaned(resource);
    expect(JSON.stringify(found).match(PLANTED)).toBeNull();
    expect(found.resourceType).toBe(type);
  });

  test.each([...REFUSED.keys()])('of a %s is refused with it', async (type) => {
    const message = await cleaned(planted(type)).catch((error: Error) => error.message);
    expect(message).toMatch(new RegExp(`^f: /: ${type} is no resource that is safe to share`));
  });
});

describe('resources that payers and care plans are made of', () => {
  const renamed = (type: string) => expect.stringMatching(new RegExp(`^${type}/[0-9a-f]{32}$`));
  const movedFrom = (date: string) =>
    expect.stringMatching(new RegExp(`^(?!${date})20(18|19|20)-\\d\\d-\\d\\d$`));
  const concept = (code: string) => ({ coding: [{ system: 'http://x.org/codes', code }] });

  test('a Claim keeps codes and amounts, and loses names, numbers and places', async () => {
    const context = taggedNames();
    const found = await cleaned(
      {
        ...{
          resourceType: 'Claim',
          id: 'c1',
          status: 'active',
          use: 'claim',
          created: '2020-05-06',
        },
        identifier: [{ system: 'http://payer.example/claims', value: 'CL-4711' }],
        patient: { reference: 'Patient/7', display: NAME },
        insurance: [
          {
            ...{ sequence: 1, focal: true, businessArrangement: NAME, preAuthRef: ['PA-9'] },
            coverage: { reference: 'Coverage/1', identifier: { value: 'POL-1' } },
          },
        ],
        accident: {
          date: '2020-05-04',
          locationAddress: { line: [NAME], city: NAME, country: 'US' },
        },
        supportingInfo: [{ sequence: 1, category: concept('info'), valueString: `By ${NAME}` }],
        item: [
          {
            ...{ sequence: 1, productOrService: concept('exam'), servicedDate: '2020-05-05' },
            unitPrice: { value: 75.5, currency: 'USD' },
            locationReference: { reference: 'Location/9' },
            detail: [{ sequence: 1, revenue: { text: NAME } }],
          },
        ],
        total: { value: 75.5, currency: 'USD' },
      },
      context,
    );
    expect(found).toMatchObject({
      ...{ status: 'active', use: 'claim', created: movedFrom('2020-05-06') },
      patient: { reference: renamed('Patient') },
      insurance: [{ sequence: 1, focal: true, coverage: { reference: renamed('Coverage') } }],
      accident: { date: movedFrom('2020-05-04'), locationAddress: { country: 'US' } },
      supportingInfo: [{ category: concept('info') }],
      item: [
        {
          ...{ productOrService: concept('exam'), servicedDate: movedFrom('2020-05-05') },
          unitPrice: { value: 75.5, currency: 'USD' },
          detail: [{ sequence: 1, revenue: { text: '[NAME]' } }],
        },
      ],
      total: { value: 75.5, currency: 'USD' },
    });
    expect(JSON.stringify(found)).not.toMatch(/Zacarias|CL-4711|PA-9|POL-1/);
    expect(context.counts.removed.unknown).toBeUndefined();
  });

  test('a Coverage loses the numbers of who is insured', async () => {
    const found = await cleaned({
      ...{ resourceType: 'Coverage', status: 'active', dependent: '01', network: NAME, order: 1 },
      ...{ subscriberId: 'SUB-1', policyHolder: { display: NAME } },
      beneficiary: { reference: 'Patient/7' },
      payor: [{ reference: 'Organization/2', display: NAME }],
      class: [{ type: concept('group'), value: 'GRP-1', name: NAME }],
    });
    expect(found).toMatchObject({
      ...{ status: 'active', order: 1, beneficiary: { reference: renamed('Patient') } },
      class: [{ type: concept('group') }],
    });
    const r5 = await cleaned({
      resourceType: 'Coverage',
      subscriberId: [{ value: 'SUB-1' }],
      class: [{ value: { value: 'GRP-1' } }],
    });
    expect(r5.subscriberId).toEqual([{ value: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    expect(r5.class).toEqual([{ value: { value: expect.stringMatching(/^[0-9a-f]{32}$/) } }]);
    expect(JSON.stringify([found, r5])).not.toMatch(/Zacarias|SUB-1|GRP-1|"01"/);
  });

  test('a Goal and an EpisodeOfCare keep what is aimed at and when, moved', async () => {
    const goal = await cleaned({
      ...{ resourceType: 'Goal', lifecycleStatus: 'active', statusReason: `${NAME} asked` },
      description: { text: `Walk with ${NAME}` },
      subject: { reference: 'Patient/7' },
      target: [
        {
          measure: concept('steps'),
          detailQuantity: { value: 10, unit: 'km' },
          dueDate: '2020-05-06',
        },
      ],
      note: [{ authorString: NAME, text: NAME, time: '2020-05-06' }],
    });
    expect(goal).toMatchObject({
      ...{ lifecycleStatus: 'active', statusReason: '[NAME] asked' },
      description: { text: 'Walk with [NAME]' },
      target: [
        {
          measure: concept('steps'),
          detailQuantity: { value: 10, unit: 'km' },
          dueDate: movedFrom('2020-05-06'),
        },
      ],
      note: [{ text: '[NAME]', time: movedFrom('2020-05-06') }],
    });
    const episode = await cleaned({
      ...{ resourceType: 'EpisodeOfCare', status: 'active', patient: { reference: 'Patient/7' } },
      identifier: [{ value: 'EP-1' }],
      period: { start: '2020-05-06' },
      careManager: { reference: 'Practitioner/1', display: NAME },
      statusHistory: [{ status: 'planned', period: { start: '2020-05-01' } }],
    });
    expect(episode).toMatchObject({
      ...{
        status: 'active',
        period: { start: movedFrom('2020-05-06') },
        careManager: { reference: renamed('Practitioner') },
      },
      statusHistory: [{ status: 'planned', period: { start: movedFrom('2020-05-01') } }],
    });
    expect(JSON.stringify([goal, episode])).not.toMatch(/Zacarias|EP-1/);
  });
});

describe('elements that R5 has and R4 has not', () => {
  const codeable = {
    concept: { text: `Fell, says ${NAME}` },
    reference: { reference: 'Condition/1' },
  };

  test('stay as their datatypes do', async () => {
    const procedure = await cleaned({ resourceType: 'Procedure', reason: [codeable] });
    expect(procedure.reason).toEqual([
      {
        concept: { text: 'Fell, says [NAME]' },
        reference: { reference: expect.stringMatching(/^Condition\//) },
      },
    ]);
    const request = await cleaned({
      resourceType: 'MedicationRequest',
      dispenseRequest: {
        ...{ numberOfRepeatsAllowed: 3, quantity: { value: 30, unit: 'tablets' } },
        dispenser: { reference: 'Organization/1', display: NAME },
      },
      substitution: { allowedBoolean: true },
    });
    expect(request).toMatchObject({
      dispenseRequest: { numberOfRepeatsAllowed: 3, quantity: { value: 30, unit: 'tablets' } },
      substitution: { allowedBoolean: true },
    });
    const immunization = await cleaned({
      resourceType: 'Immunization',
      protocolApplied: [{ series: `Series of ${NAME}`, doseNumber: '2', seriesDoses: '3' }],
    });
    expect(immunization.protocolApplied).toEqual([
      { series: 'Series of [NAME]', doseNumber: '2', seriesDoses: '3' },
    ]);
    expect(JSON.stringify([procedure, request, immunization])).not.toContain(NAME);
  });

  test('and what releases disagree on is read by what stands there', async () => {
    const composition = (mode: unknown) =>
      cleaned({ resourceType: 'Composition', attester: [{ mode }] });
    expect((await composition('legal')).attester).toEqual([{ mode: 'legal' }]);
    const concept = { coding: [{ code: 'legal', display: NAME }] };
    expect((await composition(concept)).attester).toEqual([
      { mode: { coding: [{ code: 'legal', display: '[NAME]' }] } },
    ]);
  });
});

test.each([
  ['http://hl7.org/fhir/uv/ipa/StructureDefinition/ipa-patient', true],
  ['https://x.org/Questionnaire/q1|2', true],
  [`https://x.org/fhir/Patient/${NAME}`, false],
  ['https://x.org/fhir/Encounter/123', false],
])('%s: whether it may be the address of a definition, %s', async (questionnaire, isKept) => {
  const found = await cleaned({ resourceType: 'QuestionnaireResponse', questionnaire });
  expect(found.questionnaire).toBe(isKept ? questionnaire : undefined);
});

test('the weekday of a dose goes, beside whose moved date it would say by how much that was moved', async () => {
  const found = await cleaned({
    resourceType: 'MedicationRequest',
    dosageInstruction: [{ timing: { repeat: { frequency: 2, dayOfWeek: ['mon', 'thu'] } } }],
  });
  expect(found.dosageInstruction).toEqual([{ timing: { repeat: { frequency: 2 } } }]);
});

describe('dates that anybody can look up', () => {
  const days = (text: string) => Date.parse(text) / 86_400_000;

  test('of a definition that is contained move by another number than those around it', async () => {
    const found = await Promise.all(
      Array.from({ length: 4 }, () =>
        cleaned({
          resourceType: 'QuestionnaireResponse',
          subject: { reference: 'Patient/7' },
          authored: '2020-05-01',
          contained: [
            {
              resourceType: 'Questionnaire',
              id: 'q',
              url: 'http://hl7.org/phq9',
              date: '2020-05-01',
            },
          ],
        }),
      ),
    );
    const apart = found.map(({ authored, contained }) => days(authored) - days(contained[0].date));
    expect(apart.some((difference) => difference !== 0)).toBe(true);
  });

  test('of a server and of a publication go', async () => {
    const found = await cleaned({
      resourceType: 'Bundle',
      type: 'batch-response',
      meta: { lastUpdated: '2020-05-01T10:00:00.123Z' },
      entry: [{ response: { status: '201', lastModified: '2020-05-01T10:00:00.123Z' } }],
    });
    expect(JSON.stringify(found)).not.toMatch(/lastUpdated|lastModified/);
    const library = await cleaned({
      resourceType: 'Library',
      relatedArtifact: [{ type: 'citation', label: '1', publicationDate: '2020-05-01' }],
    });
    expect(library.relatedArtifact).toEqual([{ type: 'citation', label: '1' }]);
  });
});

test.each<[string, object, unknown]>([
  [
    'a number of an account among what supports a claim',
    {
      resourceType: 'Claim',
      supportingInfo: [{ sequence: 1, valueString: '20131001' }],
    },
    [{ sequence: 1 }],
  ],
  [
    'the input of a task',
    { resourceType: 'Task', input: [{ valueString: 'PAN 1234' }, { valueInteger: 3 }] },
    [{ valueInteger: 3 }],
  ],
  [
    'a long number as an answer',
    { resourceType: 'Task', input: [{ valueInteger: 123456789 }, { valueUnsignedInt: 999999 }] },
    [{ valueUnsignedInt: 999999 }],
  ],
  [
    'a name that a patient gave a device',
    { resourceType: 'Device', deviceName: [{ name: 'Rosie', type: 'patient-reported-name' }] },
    [{ type: 'patient-reported-name' }],
  ],
  [
    'a date as a code',
    { resourceType: 'Basic', code: { coding: [{ code: '1942-03-04', version: '2020-01-01' }] } },
    { coding: [{ version: '2020-01-01' }] },
  ],
  [
    'the name of a file as a title',
    {
      resourceType: 'DocumentReference',
      content: [
        { attachment: { contentType: 'text/plain', data: 'T0s=', title: 'Befund_Roe_1942.txt' } },
      ],
    },
    [{ attachment: { contentType: 'text/plain', data: 'T0s=', size: 2 } }],
  ],
  [
    'a name beside a kind of data',
    { resourceType: 'Endpoint', payloadMimeType: ['text/plain;name=Roe.pdf'] },
    ['text/plain'],
  ],
])('%s goes', async (_, resource, expected) => {
  const found = await cleaned(resource as Parameters<typeof cleaned>[0]);
  const { resourceType, meta, ...rest } = found;
  expect(Object.values(rest)).toEqual([expected]);
});

test.each(['https://ehr.example/patients/4711', 'https://ehr.example/patient/4711/mrn'])(
  'the address %s of a person is no address of a policy',
  async (address) => {
    const found = await cleaned({ resourceType: 'Provenance', policy: [address] });
    expect(found.policy).toBeUndefined();
  },
);
