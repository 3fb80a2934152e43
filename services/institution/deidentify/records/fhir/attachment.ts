import type { RecordContext } from '../record-context.js';
import { markupWithoutPhi } from './xhtml.js';

type Json = Readonly<Record<string, unknown>>;

const PLAIN = /^text\/(plain|markdown|x-markdown)$/i;
const MARKUP = /^(text\/html|application\/xhtml\+xml)$/i;
const CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'iso-8859-1', 'us-ascii']);
const BASE64 = /^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/;

/** Of text as it is answered. Any other parameter, such as a file's name, may tell whose text it is. */
interface TextData {
  readonly contentType: string;
  /** In base64. */
  readonly data: string;
  /** Bytes of it. */
  readonly size: number;
}

/** The Attachment's data without PHI; undefined where they are no text that can be read. */
export async function attachmentData(
  contentType: unknown,
  data: unknown,
  context: RecordContext,
  patient: string,
): Promise<TextData | undefined> {
  const [type = '', ...parameters] = partsOf(String(contentType ?? ''));
  const text = decoded(data, parameters);
  if (text === undefined || !(PLAIN.test(type) || MARKUP.test(type))) return undefined;
  const clean = PLAIN.test(type)
    ? await context.text(text, patient)
    : await markupWithoutPhi(text, context, patient);
  if (clean === undefined) return undefined;
  const bytes = encoded(clean, parameters);
  return (
    bytes && {
      contentType: statedType(String(contentType)),
      data: bytes.toString('base64'),
      size: bytes.length,
    }
  );
}

/**
 * An Attachment with the text that it holds, without PHI: its address and its digest would lead back to the
 * first one. Undefined where it holds no text.
 */
export async function withoutPhiAttachment(
  attachment: Json,
  context: RecordContext,
  patient: string,
): Promise<Json | undefined> {
  const { contentType, data } = attachment;
  const clean =
    data === undefined ? undefined : await attachmentData(contentType, data, context, patient);
  if (clean === undefined) return undefined;
  return { ...clean };
}

/** A media type with its character set alone. */
export function statedType(contentType: string): string {
  const [type = '', ...parameters] = partsOf(contentType);
  const charset = statedCharset(parameters);
  const isKnown = charset !== undefined && CHARSETS.has(charset.toLowerCase());
  return `${type.toLowerCase()}${isKnown ? `; charset=${charset}` : ''}`;
}

/** The media type and its parameters. */
function partsOf(contentType: string): string[] {
  return contentType.split(';').map((part) => part.trim());
}

function decoded(data: unknown, parameters: readonly string[]): string | undefined {
  if (typeof data !== 'string' || !BASE64.test(data)) return undefined;
  try {
    const decoder = new TextDecoder(charsetOf(parameters), { fatal: true, ignoreBOM: true });
    return decoder.decode(Buffer.from(data, 'base64'));
  } catch {
    return undefined;
  }
}

/** In the character set that the type names, which stays. */
function encoded(text: string, parameters: readonly string[]): Buffer | undefined {
  const charset = charsetOf(parameters).toLowerCase();
  if (charset === 'utf-8' || charset === 'utf8') return Buffer.from(text);
  const bytes = Buffer.from(text, 'latin1');
  return /^(iso-8859-1|us-ascii)$/.test(charset) && bytes.toString('latin1') === text
    ? bytes
    : undefined;
}

function charsetOf(parameters: readonly string[]): string {
  return statedCharset(parameters) ?? 'utf-8';
}

function statedCharset(parameters: readonly string[]): string | undefined {
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  return charset?.slice('charset='.length).replaceAll('"', '');
}
