/**
 * What becomes of the elements and attributes of CDA Release 2 (HL7 V3, `POCD_MT000040`; C-CDA constrains it).
 * This is a closed list: an attribute that does not stand here is taken out.
 */

/**
 * Elements that identify, or that would say by how much times were moved, as the ends of months do at which drugs expire: all
 * that is in them goes, and a null flavor says that it was masked.
 */
export const MASKED: ReadonlySet<string> = new Set([
  ...['addr', 'name', 'telecom', 'lotNumberText', 'signatureText', 'thumbnail', 'expirationTime'],
]);

/** Values of these datatypes identify too: addresses, names, telecommunication. */
export const MASKED_TYPE = /^(\w+:)?(AD|EN|PN|ON|TN|TEL|URL)$/;

/** Elements around a `name` that is no person's, place's or organization's; the last where its class says so. */
export const SUBSTANCES: ReadonlySet<string> = new Set([
  ...['manufacturedMaterial', 'manufacturedLabeledDrug', 'playingEntity'],
]);
export const SUBSTANCE_CLASSES: ReadonlySet<string> = new Set(['MMAT', 'MAT', 'ADMM']);

/** Elements whose `value` is a time. */
export const TIMES: ReadonlySet<string> = new Set([
  ...['effectiveTime', 'time', 'birthTime', 'deceasedTime', 'availabilityTime', 'signatureTime'],
  ...['existenceTime', 'expectedUseTime', 'useablePeriod', 'useablePeriods'],
]);

/** Datatypes of a time, of a set of times or of several. */
export const TIME_TYPE = /^(\w+:)?(\w+_)*TS(\.\w+)*$/;

/** Bounds of an interval: of times where a time is around them, else of quantities. */
export const BOUNDS: ReadonlySet<string> = new Set([
  'low',
  'high',
  'center',
  'width',
  'event',
  'phase',
  'comp',
  'head',
]);

/** Attributes that hold a code, a number or a look, and stay where they look like one. */
export const CODES: ReadonlySet<string> = new Set(
  (
    'classCode moodCode typeCode determinerCode contextControlCode contextConductionInd ' +
    'independentInd negationInd inversionInd nullFlavor code codeSystem ' +
    'codeSystemVersion qualifier unit currency operator mediaType representation language ' +
    'institutionSpecified alignment inclusive xsi:type type sdtc:valueSet sdtc:valueSetVersion ' +
    'valueSet valueSetVersion listType border cellpadding cellspacing align valign char ' +
    'charoff colspan rowspan scope span width frame rules axis revised partType isCriterionInd'
  ).split(' '),
);

export const NULL_FLAVORS: ReadonlySet<string> = new Set(
  'NI INV DER OTH NINF PINF UNC MSK NA UNK ASKU NAV NASK QS TRC NP'.split(' '),
);

/** Attributes that hold several codes. */
export const CODE_LISTS: ReadonlySet<string> = new Set(['use', 'styleCode']);

/** Attributes that hold a free text. */
export const TEXTS: ReadonlySet<string> = new Set([
  ...['displayName', 'codeSystemName', 'caption', 'summary', 'abbr'],
]);

/** Anchors within the document and what points at them. */
export const ANCHORS: ReadonlySet<string> = new Set([
  ...['ID', 'IDREF', 'referencedObject', 'href', 'headers', 'id', 'IDREFS'],
]);
