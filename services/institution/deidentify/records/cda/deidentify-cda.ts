import { TacetError } from '../../../../../proto/errors.js';
import { attachmentData } from '../fhir/attachment.js';
import { withoutPhi } from '../marked-text.js';
import { isOldQuantity, youngBirth } from '../old-age.js';
import type { RecordContext } from '../record-context.js';
import {
  attributeSource,
  attributesOf,
  nameOf,
  tagWith,
  textOf,
  type XmlAttribute,
  type XmlPiece,
  xmlPieces,
} from '../xml-pieces.js';
import { CdaNamespaces } from './cda-namespaces.js';
import {
  ANCHORS,
  BOUNDS,
  CODE_LISTS,
  CODES,
  MASKED,
  MASKED_TYPE,
  NULL_FLAVORS,
  SUBSTANCE_CLASSES,
  SUBSTANCES,
  TEXTS,
  TIME_TYPE,
  TIMES,
} from './cda-rules.js';
import { movedTime } from './hl7-time.js';
import { isCalendarInterval } from './interval.js';
import { isKeptCode, isKeptVersion, systemsAmong } from './kept-code.js';
import { localName } from './local-name.js';
import { patientKey } from './patient-key.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const OID = /^\d+(\.\d+)+$/;
const CODE_LIST = /^[A-Za-z]{0,32}( [A-Za-z]{1,32}){0,6}$/;
/** Names within the document, or a reference to one. */
const ANCHOR = /^#?[^\s#]{1,256}( [^\s#]{1,256}){0,20}$/u;
const ANCHOR_CHARACTERS = 16;
const NUMBER = /^[+-]?\d{0,15}(\.\d{1,15})?([eE][+-]?\d{1,3})?$/;
/** A time as HL7 writes it, of a day at least. */
const DAY = /^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(\d{4}|\d{6})?(\.\d+)?([+-]\d{4})?$/;
const SOCIAL_SECURITY = /^\d{3}-\d{2}-\d{4}$/;
/** What the pipeline can read where it stands. */
const TEXT_TYPE = /^\s*(?:text\/(?!rtf\b)|$)/i;
const MASK = attributeSource('nullFlavor', 'MSK');

/**
 * A document of HL7 CDA (C-CDA) without PHI: every text goes through the pipeline, narrative blocks with
 * their markup; names, addresses and telephones are masked, identifiers renamed, times moved, and what no
 * rule knows is taken out. All else is as it was, to the byte. Throws `record-invalid`, with `origin`,
 * line and column, where it is no such document.
 */
export async function deidentifyCda(
  xml: string,
  context: RecordContext,
  origin: string,
): Promise<string> {
  const pieces = xmlPieces(xml, origin);
  const root = pieces.find(({ kind }) => kind === 'open' || kind === 'empty');
  if (root === undefined || localName(root) !== 'ClinicalDocument')
    throw new TacetError('record-invalid', `${origin}: expected a ClinicalDocument at the root`);
  const namespaces = new CdaNamespaces(pieces, origin);
  if (namespaces.isForeign(root))
    throw new TacetError(
      'record-invalid',
      `${origin}: expected a ClinicalDocument of urn:hl7-org:v3`,
    );
  context.counts.records++;
  return new CdaWalk(pieces, namespaces, context, patientKey(pieces) ?? origin).clean();
}

/** An element that is open. */
interface Open {
  readonly name: string;
  readonly isTime: boolean;
  /** Whether a name in it is of a substance or a drug. */
  readonly isSubstance: boolean;
}

class CdaWalk {
  readonly #open: Open[] = [];
  #clean: XmlPiece[] = [];
  #at = 0;

  constructor(
    private readonly pieces: readonly XmlPiece[],
    private readonly namespaces: CdaNamespaces,
    private readonly context: RecordContext,
    private readonly patient: string,
  ) {}

  async clean(): Promise<string> {
    while (this.#at < this.pieces.length) await this.#next();
    return this.#clean.map(({ source }) => source).join('');
  }

  async #next(): Promise<void> {
    const piece = this.pieces[this.#at] as XmlPiece;
    const { counts } = this.context;
    const name = localName(piece);
    if (isRemark(piece)) {
      counts.remove('comments');
      this.#at++;
    } else if (piece.kind === 'text' || piece.kind === 'other') {
      this.#at++;
      this.#clean.push(...(await withoutPhi([piece], this.context, this.patient)));
    } else if (piece.kind === 'close') {
      this.#open.pop();
      this.#put(piece);
    } else if (this.namespaces.isForeign(piece)) {
      counts.remove('extensions');
      this.#skip();
    } else if (this.#isMasked(piece, name) || isCalendarInterval(this.pieces, this.#at))
      this.#mask(piece);
    else if (this.#isEncoded(piece)) await this.#encoded(piece);
    else if (this.#isNarrative(name)) await this.#narrative();
    else await this.#enter(piece, name);
  }

  #put(piece: XmlPiece): void {
    this.#clean.push(piece);
    this.#at++;
  }

  async #enter(piece: XmlPiece, name: string): Promise<void> {
    const isTime = isTimeElement(piece, this.#open.at(-1)?.isTime);
    this.#put(await this.#tag(piece, name, isTime));
    if (piece.kind === 'open') this.#open.push({ name, isTime, isSubstance: isSubstance(piece) });
  }

  /** Passes over an element and all in it. */
  #skip(): void {
    this.#at = this.#end();
  }

  /** Behind the element that begins here. */
  #end(): number {
    let depth = 0;
    let at = this.#at;
    do {
      const { kind } = this.pieces[at++] as XmlPiece;
      if (kind === 'open') depth++;
      else if (kind === 'close') depth--;
    } while (depth > 0);
    return at;
  }

  /** A substance or a drug has a name that is of nobody. */
  #isMasked(piece: XmlPiece, name: string): boolean {
    if (name === 'name' && this.#open.at(-1)?.isSubstance) return false;
    return MASKED.has(name) || MASKED_TYPE.test(typeOf(piece));
  }

  /** An element without what it held, where it held anything. */
  #mask(piece: XmlPiece): void {
    const attributes = attributesOf(piece);
    const isKnownToLack =
      piece.kind === 'empty' &&
      attributes.every(({ name, value }) => name === 'nullFlavor' && NULL_FLAVORS.has(value));
    if (isKnownToLack) {
      this.#put(piece);
      return;
    }
    this.context.counts.remove('identifying');
    const use = attributes.filter(({ name, value }) => name === 'use' && CODE_LIST.test(value));
    const kept = [MASK, ...use.map(({ source }) => source)];
    this.#clean.push({ kind: 'empty', source: `<${nameOf(piece)}${kept.join('')}/>` });
    this.#skip();
  }

  /** Whether an element holds bytes in base64, or by its type no text. */
  #isEncoded(piece: XmlPiece): boolean {
    return attributesOf(piece).some(
      ({ name, value }) =>
        (name === 'representation' && value === 'B64') ||
        (name === 'mediaType' && !TEXT_TYPE.test(value)),
    );
  }

  /** Text in base64 is read, anything else masked: pictures and PDF show what their makers put there. */
  async #encoded(piece: XmlPiece): Promise<void> {
    const from = this.#at + 1;
    this.#skip();
    const inner = piece.kind === 'open' ? this.pieces.slice(from, this.#at - 1) : [];
    const data = inner.map((each) => (each.kind === 'text' ? textOf(each) : '<')).join('');
    const type = attributesOf(piece).find(({ name }) => name === 'mediaType')?.value;
    const clean = await attachmentData(type ?? 'text/plain', data, this.context, this.patient);
    const tag = await this.#tag(piece, localName(piece), false);
    if (clean === undefined) {
      this.context.counts.remove('attachments');
      const kept = attributesOf(tag).filter(({ name }) => name === 'mediaType');
      const sources = [MASK, ...kept.map(({ source }) => source)];
      this.#clean.push({ kind: 'empty', source: `<${nameOf(piece)}${sources.join('')}/>` });
      return;
    }
    this.#clean.push(tag);
    if (piece.kind === 'empty') return;
    const end = this.pieces[this.#at - 1] as XmlPiece;
    this.#clean.push({ kind: 'text', source: clean.data }, end);
  }

  /** `text` of a section and of an entry, whose texts are read as one. */
  #isNarrative(name: string): boolean {
    return name === 'text' || name === 'title' || name === 'originalText' || name === 'value';
  }

  async #narrative(): Promise<void> {
    const [outer, block]: [XmlPiece[], XmlPiece[]] = [this.#clean, []];
    const [begin, end] = [this.#at, this.#end()];
    const times: boolean[] = [];
    this.#clean = block;
    while (this.#at < end) {
      const piece = this.pieces[this.#at] as XmlPiece;
      if (isRemark(piece)) {
        this.context.counts.remove('comments');
        this.#at++;
      } else if (piece.kind !== 'open' && piece.kind !== 'empty') {
        if (piece.kind === 'close') times.pop();
        this.#put(piece);
      } else if (this.#at > begin && this.namespaces.isForeign(piece)) {
        this.context.counts.remove('extensions');
        this.#skip();
      } else if (this.#at > begin && this.#holdsNoText(piece)) this.#mask(piece);
      else {
        const isTime = isTimeElement(piece, times.at(-1));
        this.#put(await this.#tag(piece, localName(piece), isTime));
        if (piece.kind === 'open') times.push(isTime);
      }
    }
    this.#clean = outer;
    for (const piece of await withoutPhi(block, this.context, this.patient))
      this.#clean.push(piece);
  }

  /** Whether an element within a text identifies, or holds bytes that are no text. */
  #holdsNoText(piece: XmlPiece): boolean {
    return (
      this.#isMasked(piece, localName(piece)) ||
      isCalendarInterval(this.pieces, this.#at) ||
      this.#isEncoded(piece)
    );
  }

  /** A start tag with the attributes that the rules leave, as it stands where they leave all. */
  async #tag(piece: XmlPiece, name: string, isTime: boolean): Promise<XmlPiece> {
    const attributes = attributesOf(piece);
    const sources: string[] = [];
    const isOld = (!isTime || name === 'width') && saysOldYears(attributes);
    const systems = systemsAmong(attributes);
    for (const attribute of attributes) {
      const isAge = isOld && attribute.name === 'value';
      const source = isAge ? undefined : await this.#attribute(attribute, name, isTime, systems);
      if (source === undefined) this.context.counts.remove('unknown');
      else sources.push(source);
    }
    const isSame = sources.every((source, index) => source === attributes[index]?.source);
    return isSame && sources.length === attributes.length ? piece : tagWith(piece, sources);
  }

  async #attribute(
    { name, value, source }: XmlAttribute,
    element: string,
    isTime: boolean,
    systems: ReadonlySet<string>,
  ): Promise<string | undefined> {
    const { renaming } = this.context;
    if (name === 'xmlns' || name.startsWith('xmlns:'))
      return OWN_NAMESPACE.test(value) ? source : undefined;
    if (name === 'root')
      return OID.test(value)
        ? source
        : UUID.test(value)
          ? attributeSource(name, renaming.uuid(value))
          : undefined;
    if (name === 'extension')
      return element === 'templateId' || element === 'typeId'
        ? kept(isKeptVersion(value), source)
        : attributeSource(name, renaming.id('extension', value));
    if (name === 'value') return this.#value(value, source, element, isTime);
    if (ANCHORS.has(name)) return this.#anchor(name, value);
    if (TEXTS.has(name)) {
      const clean = await this.context.text(value, this.patient);
      return clean === value ? source : attributeSource(name, clean);
    }
    if (CODE_LISTS.has(name)) return kept(CODE_LIST.test(value), source);
    if (name === 'nullFlavor') return NULL_FLAVORS.has(value) ? source : undefined;
    if (SOCIAL_SECURITY.test(value)) return undefined;
    return kept(CODES.has(name) && isKeptCode(name, value, systems), source);
  }

  /** Renamed, the same way wherever it stands: an author may have named it after somebody. */
  #anchor(name: string, value: string): string | undefined {
    if (!ANCHOR.test(value)) return undefined;
    const renamed = value.replace(/[^\s#]+/gu, (each) => {
      const id = this.context.renaming.id('anchor', each);
      return `a${id.slice(0, ANCHOR_CHARACTERS)}`;
    });
    return attributeSource(name, renamed);
  }

  #value(value: string, source: string, element: string, isTime: boolean): string | undefined {
    if (isTime && element !== 'width') {
      const moved = movedTime(value, this.context.renaming.days(this.patient));
      const kept = element === 'birthTime' ? youngBirth(moved) : moved;
      return kept === undefined ? undefined : attributeSource('value', kept);
    }
    if (element === 'reference') return this.#anchor('value', value);
    // A time where no rule knows of one would say by how much all others were moved.
    if (DAY.test(value)) return undefined;
    return NUMBER.test(value) || value === 'true' || value === 'false' ? source : undefined;
  }
}

const OWN_NAMESPACE = /^(urn:hl7-org:(v3|sdtc)[\w/:-]*|http:\/\/www\.w3\.org\/[\w/.#-]*)$/;

function kept(isKept: boolean, source: string): string | undefined {
  return isKept ? source : undefined;
}

/** Whether the `value` of an element is a time, `around` whether that of the one around it is. */
function isTimeElement(piece: XmlPiece, around = false): boolean {
  const name = localName(piece);
  return TIMES.has(name) || (BOUNDS.has(name) && around) || TIME_TYPE.test(typeOf(piece));
}

function isSubstance(piece: XmlPiece): boolean {
  const name = localName(piece);
  if (name !== 'playingEntity') return SUBSTANCES.has(name);
  return attributesOf(piece).some(
    ({ name: attribute, value }) => attribute === 'classCode' && SUBSTANCE_CLASSES.has(value),
  );
}

/** The datatype that a piece says it has. */
function typeOf(piece: XmlPiece): string {
  return attributesOf(piece).find(({ name }) => name === 'xsi:type')?.value ?? '';
}

/** A comment, or an instruction to a program; HL7's own style sheet by its usual name stays. */
function isRemark({ kind, source }: XmlPiece): boolean {
  if (kind !== 'other') return kind === 'comment';
  return !/^<\?xml\s/.test(source) && !STYLE_SHEET.test(source);
}

const STYLE_SHEET = /^<\?xml-stylesheet type="text\/xsl" href="(C-?)?CDA\.xsl"\s*\?>$/i;

/** Whether a quantity, by its value and unit, is of over 89 years. */
function saysOldYears(attributes: readonly XmlAttribute[]): boolean {
  const of = (wanted: string) => attributes.find(({ name }) => name === wanted)?.value ?? '';
  return isOldQuantity(Number(of('value')), of('unit'));
}
