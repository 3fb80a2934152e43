import { TacetError } from '../../../proto/errors.js';
import { areaOfPictures, type OperatorList, type Operators } from './pdf-pictures.js';
import { requireModestStreams } from './pdf-streams.js';

/** What is read of a page that pdf.js has opened. */
interface PdfPage {
  /** Its corners: x, y, x, y. */
  readonly view: readonly number[];
  getTextContent(): Promise<{ readonly items: readonly object[] }>;
  getOperatorList(): Promise<OperatorList>;
  getAnnotations(): Promise<readonly PdfAnnotation[]>;
  cleanup(): void;
}

/** What lies on a page beside its text. */
interface PdfAnnotation {
  readonly subtype?: unknown;
  /** Of a field of a form; of a button the state that it is in. */
  readonly fieldValue?: unknown;
  readonly contentsObj?: { readonly str?: unknown };
}

/** A line of text, or a part of one. */
interface TextItem {
  readonly str: string;
  readonly hasEOL: boolean;
}

/** No note has more, and each takes its time. */
const MOST_PAGES = 1000;
/** Of a picture, which is unpacked to see that it is one: A4 at 600 dots an inch has half as many. */
const MOST_PIXELS = 2 ** 26;
/** Text rendering modes of ISO 32000-1, table 106, that paint nothing: what OCR lays over a picture. */
const INVISIBLE: ReadonlySet<unknown> = new Set([3, 7]);
/** Characters that no font explained: private use, the replacement character, controls. */
const UNEXPLAINED = /[\p{Co}\ufffd]|(?![\t\n\r])\p{Cc}/gu;
/** Share of a page's characters beyond which its text is not what it shows. */
const MOST_UNEXPLAINED = 0.01;
/** A page that pictures cover to this share, with no more characters than the line of a fax, was scanned. */
const SCANNED_SHARE = 0.5;
const FEW_CHARACTERS = 300;
const INSTEAD = 'read it with an OCR program into a .txt file, check that, and give it here';

/**
 * The text layer of a PDF, in the order in which the file has it: lines end where pdf.js sees them end, and
 * an empty line stands between pages. Throws `corpus-invalid`, naming the page, where what a page shows may
 * be something else than its text: a picture without text, invisible text, characters without a meaning, a form
 * that somebody filled, text that was laid on the page.
 */
export async function pdfText(bytes: Uint8Array, origin: string): Promise<string> {
  await requireModestStreams(bytes, origin);
  const { getDocumentProxy, getResolvedPDFJS } = await import('unpdf');
  const { OPS } = await getResolvedPDFJS();
  // Nothing is fetched, drawn or evaluated, and the reader's own words stay out of the log.
  const options = {
    ...{ isEvalSupported: false, disableFontFace: true, verbosity: 0, stopAtErrors: true },
    maxImageSize: MOST_PIXELS,
  };
  const file = await getDocumentProxy(Uint8Array.from(bytes), options).catch((error: unknown) => {
    throw unreadable(error, origin);
  });
  try {
    if (file.numPages > MOST_PAGES)
      throw invalid(origin, `${file.numPages} pages; expected at most ${MOST_PAGES}; split it`);
    const pages: string[] = [];
    for (let number = 1; number <= file.numPages; number++) {
      const where = `${origin}: page ${number}`;
      const page = await file.getPage(number).catch(() => {
        throw invalid(where, 'the page is damaged; expected a sound PDF');
      });
      pages.push(await textOf(page, OPS, where));
    }
    const text = pages.filter((page) => page !== '').join('\n\n');
    if (text === '') throw invalid(origin, `there is no text in it; ${INSTEAD}`);
    return text;
  } finally {
    await file.loadingTask.destroy();
  }
}

/** The engine's own messages may quote what is in the file. */
function unreadable(error: unknown, origin: string): TacetError {
  const isLocked = error instanceof Error && error.name === 'PasswordException';
  return invalid(
    origin,
    isLocked
      ? 'the PDF wants a password; save it without one'
      : 'this is no PDF that can be read; expected a sound PDF 1.0 to 2.0',
  );
}

async function textOf(page: PdfPage, operators: Operators, where: string): Promise<string> {
  try {
    const { items } = await page.getTextContent();
    const text = items
      .filter((item): item is TextItem => 'str' in item)
      .map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str))
      .join('')
      .replace(/[^\S\n]+$/gm, '')
      .trim();
    const shown = await whatIsShown(page, operators);
    if (text === '' && shown.pictures !== undefined)
      throw invalid(where, `a picture without text, as scanners make them; ${INSTEAD}`);
    if (text !== '' && shown.hasInvisibleText)
      throw invalid(where, `invisible text, as OCR lays it over a picture; ${INSTEAD}`);
    if (text.length <= FEW_CHARACTERS && (shown.pictures ?? 0) >= SCANNED_SHARE)
      throw invalid(
        where,
        `a picture over most of the page with few words beside it, as a fax has them; ${INSTEAD}`,
      );
    if (text !== '' && !shown.isWhole)
      throw invalid(where, `what it shows cannot be compared with its text; ${INSTEAD}`);
    if ((await page.getAnnotations()).some(isWritten))
      throw invalid(
        where,
        'a form that was filled in, or text laid on the page, which is not in its text; print it into another PDF',
      );
    const unexplained = text.match(UNEXPLAINED)?.length ?? 0;
    if (unexplained > text.length * MOST_UNEXPLAINED)
      throw invalid(where, `its fonts do not say what their characters mean; ${INSTEAD}`);
    return text;
  } catch (error) {
    if (error instanceof TacetError) throw error;
    throw invalid(where, 'the page is damaged; expected a sound PDF');
  } finally {
    page.cleanup();
  }
}

/** Whether it shows something that was entered: a value of a field, a button that is on, a box of text. */
function isWritten({ subtype, fieldValue, contentsObj }: PdfAnnotation): boolean {
  if (subtype === 'FreeText') return contentsObj?.str !== '';
  if (subtype !== 'Widget') return false;
  return [fieldValue].flat().some((value) => value && value !== 'Off');
}

async function whatIsShown(page: PdfPage, operators: Operators) {
  const list = await page.getOperatorList();
  const { fnArray, argsArray } = list;
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  const area = areaOfPictures(list, operators);
  const isInvisible = (at: number) => {
    const [mode] = (argsArray[at] ?? []) as readonly unknown[];
    return fnArray[at] === operators.setTextRenderingMode && INVISIBLE.has(mode);
  };
  const paints = [operators.showText, operators.showSpacedText];
  return {
    /** pdf.js ends its list where a part of a page fails. */
    isWhole: fnArray.some((operator) => paints.includes(operator)),
    /** Of the page, the share that pictures cover; undefined where there are none. */
    pictures: area === undefined ? undefined : area / ((right - left) * (top - bottom)),
    hasInvisibleText: fnArray.some((_, at) => isInvisible(at)),
  };
}

function invalid(where: string, problem: string): TacetError {
  return new TacetError('corpus-invalid', `${where}: ${problem}`);
}
