/**
 * What becomes of the elements of FHIR R4 and R5, by their definitions (hl7.org/fhir/R4, hl7.org/fhir/R5). This
 * is a closed list: what does not stand here is taken out.
 */

/** What becomes of a value that is no object of a datatype below. */
export type LeafRule =
  /** A boolean or a number stays. */
  | 'kept'
  /** A code stays where it looks like one, and like no address or number of a person. */
  | 'code'
  /** A country's name or code stays: letters without digits. */
  | 'country'
  /** An address of a definition, a code system or a profile stays. */
  | 'uri'
  /** Free text goes through the pipeline, and XHTML with its markup. */
  | 'text'
  | 'xhtml'
  /** Dates move by one number of days a patient. */
  | 'date'
  | 'birthDate'
  /** Identifiers and what refers to them are renamed alike in a run. */
  | 'id'
  | 'identifier'
  | 'reference'
  | 'url'
  | 'removed'
  | 'attachment'
  /** The kind of data without its parameters but for the character set. */
  | 'mediaType'
  /** Ages over 89 years are removed, as HIPAA's Safe Harbor rule has it. */
  | 'age'
  | 'ageRange'
  | 'resource'
  /** Of a Bundle: one that cannot be de-identified may be left out alone. */
  | 'entry';

/** A leaf, a datatype by its name, or an element with elements of its own. */
export type ElementRule = LeafRule | (string & {}) | ElementRules;
export interface ElementRules {
  readonly [element: string]: ElementRule;
}

const PERIOD = { start: 'date', end: 'date' } as const;
const QUANTITY: ElementRules = {
  ...{ value: 'kept', comparator: 'code', unit: 'text', system: 'uri', code: 'code' },
};

/** Datatypes by their names; names, addresses, telephones and signatures are taken out whole. */
export const DATATYPES: ElementRules = {
  Address: {
    ...{ use: 'code', type: 'code', country: 'country', text: 'removed', line: 'removed' },
    ...{ city: 'removed', district: 'removed', state: 'removed', postalCode: 'removed' },
    period: 'Period',
  },
  Annotation: {
    ...{ authorReference: 'Reference', authorString: 'removed', time: 'date', text: 'text' },
  },
  Attachment: 'attachment',
  /** Where R4 has a concept, R5 often has one or a reference. */
  CodeableConcept: {
    ...{ coding: 'Coding', text: 'text' },
    ...{ concept: 'CodeableConcept', reference: 'Reference' },
  },
  CodeableReference: { concept: 'CodeableConcept', reference: 'Reference' },
  Coding: {
    ...{ system: 'uri', version: 'code', code: 'code', display: 'text', userSelected: 'kept' },
  },
  ContactPoint: 'removed',
  Dosage: {
    ...{ sequence: 'kept', text: 'text', additionalInstruction: 'CodeableConcept' },
    ...{ patientInstruction: 'text', timing: 'Timing', asNeededBoolean: 'kept', asNeeded: 'kept' },
    ...{ asNeededCodeableConcept: 'CodeableConcept', asNeededFor: 'CodeableConcept' },
    ...{ site: 'CodeableConcept', route: 'CodeableConcept', method: 'CodeableConcept' },
    doseAndRate: {
      ...{ type: 'CodeableConcept', doseRange: 'Range', doseQuantity: 'Quantity' },
      ...{ rateRatio: 'Ratio', rateRange: 'Range', rateQuantity: 'Quantity' },
    },
    ...{ maxDosePerPeriod: 'Ratio', maxDosePerAdministration: 'Quantity' },
    maxDosePerLifetime: 'Quantity',
  },
  HumanName: 'removed',
  Identifier: {
    ...{ use: 'code', type: 'CodeableConcept', system: 'uri', value: 'identifier' },
    ...{ period: 'Period', assigner: 'Reference' },
  },
  Meta: {
    ...{ versionId: 'removed', lastUpdated: 'date', source: 'removed', profile: 'uri' },
    ...{ security: 'Coding', tag: 'Coding' },
  },
  Narrative: { status: 'code', div: 'xhtml' },
  Period: PERIOD,
  Quantity: QUANTITY,
  Range: { low: 'Quantity', high: 'Quantity' },
  Ratio: { numerator: 'Quantity', denominator: 'Quantity' },
  Reference: {
    ...{ reference: 'reference', type: 'code', identifier: 'Identifier', display: 'removed' },
  },
  SampledData: {
    ...{
      origin: 'Quantity',
      period: 'kept',
      interval: 'kept',
      intervalUnit: 'code',
      factor: 'kept',
    },
    ...{ lowerLimit: 'kept', upperLimit: 'kept', dimensions: 'kept', data: 'removed' },
  },
  Timing: {
    event: 'date',
    repeat: {
      ...{ boundsDuration: 'Quantity', boundsRange: 'Range', boundsPeriod: 'Period' },
      ...{ count: 'kept', countMax: 'kept', duration: 'kept', durationMax: 'kept' },
      ...{ durationUnit: 'code', frequency: 'kept', frequencyMax: 'kept', period: 'kept' },
      ...{ periodMax: 'kept', periodUnit: 'code', dayOfWeek: 'code', timeOfDay: 'code' },
      ...{ when: 'code', offset: 'kept' },
    },
    code: 'CodeableConcept',
  },
};

/** What happened at an age. */
const AT_AN_AGE: ReadonlySet<string> = new Set(
  'onset abatement age deceased performed occurrence'.split(' '),
);

/** `value[x]` and its like: one element for each type that it may have. */
function choice(name: string): ElementRules {
  return {
    ...{ [`${name}Boolean`]: 'kept', [`${name}Integer`]: 'kept', [`${name}Decimal`]: 'kept' },
    ...{ [`${name}String`]: 'text', [`${name}Markdown`]: 'text', [`${name}Code`]: 'code' },
    ...{ [`${name}Date`]: 'date', [`${name}DateTime`]: 'date', [`${name}Instant`]: 'date' },
    ...{ [`${name}Time`]: 'code', [`${name}Period`]: 'Period', [`${name}Timing`]: 'Timing' },
    ...{ [`${name}Quantity`]: 'Quantity', [`${name}Age`]: 'age' },
    ...{ [`${name}Range`]: AT_AN_AGE.has(name) ? 'ageRange' : 'Range' },
    ...{ [`${name}Duration`]: 'Quantity', [`${name}Ratio`]: 'Ratio' },
    ...{ [`${name}CodeableConcept`]: 'CodeableConcept', [`${name}Coding`]: 'Coding' },
    ...{ [`${name}Reference`]: 'Reference', [`${name}SampledData`]: 'SampledData' },
    ...{ [`${name}Attachment`]: 'Attachment', [`${name}Identifier`]: 'Identifier' },
  };
}

/** Several elements of one rule. */
function all(rule: ElementRule, names: string): ElementRules {
  return Object.fromEntries(names.split(' ').map((name) => [name, rule]));
}

/** Of every resource. */
const RESOURCE: ElementRules = { id: 'id', meta: 'Meta', language: 'code' };
const DOMAIN_RESOURCE: ElementRules = {
  ...RESOURCE,
  ...{ text: 'Narrative', contained: 'resource', identifier: 'Identifier' },
};

const concepts = (names: string) => all('CodeableConcept', names);
const references = (names: string) => all('Reference', names);
const PARTICIPANT: ElementRules = {
  ...{ ...concepts('role type function'), ...references('individual actor member onBehalfOf') },
  ...{ period: 'Period', mode: 'code', time: 'date', party: 'Reference' },
};
const OBSERVED: ElementRules = {
  ...choice('value'),
  ...concepts('code dataAbsentReason interpretation'),
  referenceRange: {
    ...{ low: 'Quantity', high: 'Quantity', age: 'Range', text: 'text' },
    ...concepts('type appliesTo normalValue'),
  },
};
const MEDICATION_USE: ElementRules = {
  ...{ status: 'code', intent: 'code', priority: 'code', doNotPerform: 'kept', note: 'Annotation' },
  ...concepts(
    'statusReason category reasonCode medicationCodeableConcept performerType courseOfTherapyType',
  ),
  ...references(
    'medicationReference subject context encounter requester performer recorder reasonReference ' +
      'basedOn partOf priorPrescription supportingInformation informationSource derivedFrom request',
  ),
  ...all('CodeableReference', 'medication reason device'),
  ...all('date', 'authoredOn dateAsserted effectiveDateTime occurrenceDateTime recorded'),
  ...all('Period', 'effectivePeriod occurencePeriod'),
  ...all('Dosage', 'dosageInstruction'),
  ...{ reportedBoolean: 'kept', reportedReference: 'Reference', renderedDosageInstruction: 'text' },
};
/** A Coding in R4, a CodeableConcept in R5. */
const CLASS: ElementRules = {
  ...{ system: 'uri', version: 'code', code: 'code', display: 'text', userSelected: 'kept' },
  ...{ coding: 'Coding', text: 'text' },
};
const SECTION: ElementRules = {
  ...{ title: 'text', text: 'Narrative', mode: 'code', section: 'Section' },
  ...concepts('code orderedBy emptyReason'),
  ...references('author focus entry'),
};
/** Of a Bundle. */
const ENTRY: ElementRules = {
  ...{ link: 'removed', fullUrl: 'url', resource: 'resource' },
  search: { mode: 'code', score: 'kept' },
  request: { method: 'code', url: 'url' },
  response: { status: 'code', lastModified: 'date' },
};
/** An item of a questionnaire, which holds items. */
const ITEM: ElementRules = {
  ...{ linkId: 'code', definition: 'uri', text: 'text', item: 'Item' },
  answer: { ...choice('value'), item: 'Item' },
};

/** Resources by their types, as they stand in R4 and R5. */
export const RESOURCES: Readonly<Record<string, ElementRules>> = {
  Patient: {
    ...DOMAIN_RESOURCE,
    ...{ active: 'kept', name: 'HumanName', telecom: 'ContactPoint', gender: 'code' },
    ...{ birthDate: 'birthDate', deceasedBoolean: 'kept', deceasedDateTime: 'date' },
    ...{ address: 'Address', maritalStatus: 'CodeableConcept', photo: 'removed' },
    ...all('kept', 'multipleBirthBoolean multipleBirthInteger'),
    contact: {
      ...{ ...concepts('relationship role'), name: 'HumanName', telecom: 'ContactPoint' },
      ...{ address: 'Address', gender: 'code', organization: 'Reference', period: 'Period' },
    },
    communication: { language: 'CodeableConcept', preferred: 'kept' },
    ...references('generalPractitioner managingOrganization'),
    link: { other: 'Reference', type: 'code' },
  },
  Practitioner: {
    ...DOMAIN_RESOURCE,
    ...{ active: 'kept', name: 'HumanName', telecom: 'ContactPoint', address: 'Address' },
    ...{ gender: 'code', birthDate: 'birthDate', photo: 'removed' },
    qualification: {
      ...{ identifier: 'Identifier', code: 'CodeableConcept', period: 'Period' },
      issuer: 'Reference',
    },
    communication: {
      ...concepts('coding language'),
      coding: 'Coding',
      text: 'text',
      preferred: 'kept',
    },
  },
  PractitionerRole: {
    ...{ ...DOMAIN_RESOURCE, active: 'kept', period: 'Period', telecom: 'ContactPoint' },
    ...references('practitioner organization location healthcareService endpoint'),
    ...concepts('code specialty characteristic communication'),
  },
  RelatedPerson: {
    ...{ ...DOMAIN_RESOURCE, active: 'kept', patient: 'Reference', name: 'HumanName' },
    ...{ relationship: 'CodeableConcept', telecom: 'ContactPoint', gender: 'code' },
    ...{ birthDate: 'birthDate', address: 'Address', photo: 'removed', period: 'Period' },
  },
  Organization: {
    ...{ ...DOMAIN_RESOURCE, active: 'kept', type: 'CodeableConcept', name: 'removed' },
    ...{ alias: 'removed', telecom: 'ContactPoint', address: 'Address', contact: 'removed' },
    ...references('partOf endpoint'),
  },
  Location: {
    ...{ ...DOMAIN_RESOURCE, status: 'code', mode: 'code', name: 'removed', alias: 'removed' },
    ...{ description: 'removed', telecom: 'ContactPoint', address: 'Address', position: 'removed' },
    ...{ operationalStatus: 'Coding', ...concepts('type physicalType form') },
    ...references('managingOrganization partOf'),
  },
  Encounter: {
    ...{ ...DOMAIN_RESOURCE, status: 'code', statusHistory: { status: 'code', period: 'Period' } },
    ...{ class: CLASS, classHistory: { class: CLASS, period: 'Period' } },
    ...concepts('type serviceType priority subjectStatus reasonCode'),
    ...references(
      'subject episodeOfCare basedOn appointment reasonReference account serviceProvider partOf careTeam',
    ),
    ...{ participant: PARTICIPANT, period: 'Period', actualPeriod: 'Period', length: 'Quantity' },
    ...all('date', 'plannedStartDate plannedEndDate'),
    reason: { use: 'CodeableConcept', value: 'CodeableReference' },
    diagnosis: { ...{ use: 'CodeableConcept', rank: 'kept' }, condition: 'Reference' },
    hospitalization: {
      ...{ preAdmissionIdentifier: 'Identifier', origin: 'Reference', destination: 'Reference' },
      ...concepts(
        'admitSource reAdmission dietPreference specialCourtesy specialArrangement dischargeDisposition',
      ),
    },
    admission: {
      ...{ preAdmissionIdentifier: 'Identifier', origin: 'Reference', destination: 'Reference' },
      ...concepts('admitSource reAdmission dischargeDisposition'),
    },
    location: {
      ...{ location: 'Reference', status: 'code', period: 'Period' },
      ...concepts('physicalType form'),
    },
  },
  Condition: {
    ...{ ...DOMAIN_RESOURCE, ...choice('onset'), ...choice('abatement'), recordedDate: 'date' },
    ...concepts('clinicalStatus verificationStatus category severity code bodySite'),
    ...references('subject encounter recorder asserter'),
    participant: PARTICIPANT,
    stage: { ...concepts('summary type'), assessment: 'Reference' },
    evidence: { code: 'CodeableConcept', detail: 'Reference' },
    note: 'Annotation',
  },
  Observation: {
    ...{ ...DOMAIN_RESOURCE, ...OBSERVED, ...choice('effective'), status: 'code', issued: 'date' },
    ...concepts('category bodySite method'),
    ...references(
      'basedOn partOf subject focus encounter performer specimen device hasMember derivedFrom',
    ),
    ...{ component: OBSERVED, note: 'Annotation' },
  },
  DiagnosticReport: {
    ...{ ...DOMAIN_RESOURCE, ...choice('effective'), status: 'code', issued: 'date' },
    ...concepts('category code'),
    ...references(
      'basedOn subject encounter performer resultsInterpreter specimen result imagingStudy study composition',
    ),
    ...{ conclusion: 'text', conclusionCode: 'CodeableConcept', presentedForm: 'Attachment' },
    ...{ media: { comment: 'text', link: 'Reference' }, note: 'Annotation' },
    supportingInfo: { type: 'CodeableConcept', reference: 'Reference' },
  },
  DocumentReference: {
    ...{ ...DOMAIN_RESOURCE, masterIdentifier: 'Identifier', status: 'code', docStatus: 'code' },
    ...{ version: 'code', date: 'date', created: 'date', description: 'text', period: 'Period' },
    ...concepts('type category securityLabel event facilityType practiceSetting modality'),
    ...references('subject author authenticator custodian basedOn bodySite'),
    attester: { mode: 'CodeableConcept', time: 'date', party: 'Reference' },
    relatesTo: { code: 'CodeableConcept', target: 'Reference' },
    content: { attachment: 'Attachment', format: 'Coding' },
    context: {
      ...concepts('event facilityType practiceSetting'),
      ...references('encounter sourcePatientInfo related'),
      // A reference in R5.
      ...{ period: 'Period', reference: 'reference', type: 'code' },
    },
  },
  Composition: {
    ...{ ...DOMAIN_RESOURCE, status: 'code', date: 'date', title: 'text', confidentiality: 'code' },
    ...concepts('type category'),
    ...references('subject encounter author custodian'),
    ...{ attester: { mode: 'code', time: 'date', party: 'Reference' }, note: 'Annotation' },
    event: { code: 'CodeableConcept', period: 'Period', detail: 'Reference' },
    section: 'Section',
  },
  Procedure: {
    ...{ ...DOMAIN_RESOURCE, ...choice('performed'), ...choice('occurrence'), status: 'code' },
    ...concepts(
      'statusReason category code reasonCode bodySite outcome complication followUp usedCode',
    ),
    ...references(
      'basedOn partOf subject encounter recorder asserter location reasonReference report ' +
        'complicationDetail usedReference',
    ),
    ...{ performer: PARTICIPANT, note: 'Annotation', recorded: 'date' },
  },
  Medication: {
    ...{ ...DOMAIN_RESOURCE, status: 'code', amount: 'Ratio', manufacturer: 'Reference' },
    ...concepts('code form doseForm'),
    ingredient: {
      ...{ itemCodeableConcept: 'CodeableConcept', itemReference: 'Reference' },
      ...{ item: 'CodeableReference', isActive: 'kept', strength: 'Ratio' },
    },
    batch: { lotNumber: 'removed', expirationDate: 'date' },
  },
  MedicationRequest: { ...DOMAIN_RESOURCE, ...MEDICATION_USE },
  MedicationStatement: { ...DOMAIN_RESOURCE, ...MEDICATION_USE, dosage: 'Dosage' },
  MedicationAdministration: {
    ...{ ...DOMAIN_RESOURCE, ...MEDICATION_USE, performer: PARTICIPANT },
    dosage: {
      ...{ text: 'text', dose: 'Quantity', rateRatio: 'Ratio', rateQuantity: 'Quantity' },
      ...concepts('site route method'),
    },
  },
  AllergyIntolerance: {
    ...{ ...DOMAIN_RESOURCE, ...choice('onset'), category: 'code', criticality: 'code' },
    ...concepts('clinicalStatus verificationStatus code'),
    ...references('patient encounter recorder asserter'),
    ...{ recordedDate: 'date', lastOccurrence: 'date', note: 'Annotation', type: 'code' },
    reaction: {
      ...{ ...concepts('substance manifestation exposureRoute'), description: 'text' },
      ...{ onset: 'date', severity: 'code', note: 'Annotation' },
    },
  },
  Immunization: {
    ...{ ...DOMAIN_RESOURCE, ...choice('occurrence'), status: 'code', recorded: 'date' },
    ...concepts('statusReason vaccineCode reportOrigin site route reasonCode subpotentReason'),
    ...references('patient encounter location reasonReference'),
    ...{ primarySource: 'kept', lotNumber: 'removed', expirationDate: 'date', isSubpotent: 'kept' },
    ...{ doseQuantity: 'Quantity', performer: PARTICIPANT, note: 'Annotation' },
  },
  ServiceRequest: {
    ...{
      ...DOMAIN_RESOURCE,
      ...choice('occurrence'),
      ...choice('asNeeded'),
      ...choice('quantity'),
    },
    ...all('code', 'status intent priority'),
    ...concepts('category orderDetail performerType reasonCode bodySite locationCode'),
    ...references(
      'basedOn replaces subject encounter requester performer locationReference reasonReference ' +
        'insurance supportingInfo specimen',
    ),
    ...{ code: 'CodeableConcept', doNotPerform: 'kept', authoredOn: 'date', note: 'Annotation' },
    ...{ patientInstruction: 'text', requisition: 'Identifier' },
  },
  Specimen: {
    ...{
      ...DOMAIN_RESOURCE,
      accessionIdentifier: 'Identifier',
      status: 'code',
      note: 'Annotation',
    },
    ...{ type: 'CodeableConcept', receivedTime: 'date', ...concepts('condition') },
    ...references('subject parent request'),
    collection: {
      ...{ collector: 'Reference', ...choice('collected'), quantity: 'Quantity' },
      ...concepts('method bodySite fastingStatusCodeableConcept'),
    },
  },
  CarePlan: {
    ...{ ...DOMAIN_RESOURCE, status: 'code', intent: 'code', title: 'text', description: 'text' },
    ...{ period: 'Period', created: 'date', category: 'CodeableConcept', note: 'Annotation' },
    ...references(
      'basedOn replaces partOf subject encounter author contributor careTeam addresses supportingInfo ' +
        'goal custodian',
    ),
    activity: { reference: 'Reference', progress: 'Annotation', outcomeReference: 'Reference' },
  },
  CareTeam: {
    ...{ ...DOMAIN_RESOURCE, status: 'code', name: 'text', period: 'Period', note: 'Annotation' },
    ...{ participant: PARTICIPANT, telecom: 'ContactPoint', ...concepts('category reasonCode') },
    ...references('subject encounter managingOrganization reasonReference'),
  },
  ClinicalImpression: {
    ...{ ...DOMAIN_RESOURCE, ...choice('effective'), status: 'code', date: 'date' },
    ...{ description: 'text', summary: 'text', note: 'Annotation' },
    ...concepts('code statusReason prognosisCodeableConcept'),
    ...references(
      'subject encounter assessor performer previous problem prognosisReference supportingInfo',
    ),
  },
  Communication: {
    ...{ ...DOMAIN_RESOURCE, status: 'code', sent: 'date', received: 'date', note: 'Annotation' },
    ...{ priority: 'code', ...concepts('statusReason category medium topic reasonCode') },
    ...references(
      'basedOn partOf inResponseTo subject about encounter recipient sender reasonReference',
    ),
    payload: choice('content'),
  },
  Device: {
    ...{ ...DOMAIN_RESOURCE, udiCarrier: 'removed', distinctIdentifier: 'removed', status: 'code' },
    ...{ manufacturer: 'text', modelNumber: 'text', partNumber: 'removed', note: 'Annotation' },
    ...all('removed', 'lotNumber serialNumber contact url'),
    ...all('date', 'manufactureDate expirationDate'),
    ...concepts('statusReason type safety'),
    ...references('definition patient owner location parent'),
    ...{ deviceName: { name: 'text', type: 'code' } },
  },
  FamilyMemberHistory: {
    ...{
      ...DOMAIN_RESOURCE,
      ...choice('age'),
      ...choice('deceased'),
      status: 'code',
      date: 'date',
    },
    ...{ patient: 'Reference', name: 'removed', estimatedAge: 'kept', note: 'Annotation' },
    ...{ bornPeriod: 'removed', bornDate: 'removed', bornString: 'removed' },
    ...concepts('dataAbsentReason relationship sex reasonCode'),
    condition: {
      ...{ ...choice('onset'), ...concepts('code outcome'), contributedToDeath: 'kept' },
      note: 'Annotation',
    },
  },
  QuestionnaireResponse: {
    ...{ ...DOMAIN_RESOURCE, questionnaire: 'uri', status: 'code', authored: 'date', item: 'Item' },
    ...references('basedOn partOf subject encounter author source'),
  },
  Binary: {
    ...{ ...RESOURCE, contentType: 'mediaType', securityContext: 'Reference', data: 'attachment' },
  },
  Bundle: {
    ...{ ...RESOURCE, identifier: 'Identifier', type: 'code', timestamp: 'date', total: 'kept' },
    ...{ link: 'removed', signature: 'removed' },
    entry: 'entry',
  },
};

/** Rules by name: of datatypes, and of elements that hold themselves. */
export const NAMED_RULES: ElementRules = {
  ...DATATYPES,
  Section: SECTION,
  Item: ITEM,
  Entry: ENTRY,
};
