import { XmlReader } from './xml-reader.js';

/** An element of a file, and where it stands in it, in UTF-16 units. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** What stands directly in it. */
  text: string;
  /** `<` of its first tag, and behind `>` of it. */
  readonly start: number;
  readonly opened: number;
  /** `<` of its last tag, and behind `>` of it; of an element of one tag both are behind that. */
  closing: number;
  end: number;
}

/** The root of a whole file, read as `XmlReader` does. Throws `corpus-invalid`. */
export function parseXmlTree(
  xml: string,
  origin: string,
  options: { readonly allowDoctype?: boolean } = {},
): XmlElement {
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  const reader = new XmlReader(
    origin,
    {
      open({ name, attributes }) {
        const opened = reader.position;
        // No attribute can hold "<" as it is.
        const start = xml.lastIndexOf('<', opened - 1);
        const places = { start, opened, closing: opened, end: opened };
        const element = { name, attributes, children: [], text: '', ...places };
        open.at(-1)?.children.push(element);
        root ??= element;
        open.push(element);
      },
      text(part) {
        const around = open.at(-1);
        if (around) around.text += part;
      },
      close() {
        const element = open.pop() as XmlElement;
        element.end = reader.position;
        element.closing =
          element.end === element.opened ? element.end : xml.lastIndexOf('<', element.end - 1);
      },
    },
    options,
  );
  reader.write(xml);
  reader.end();
  return root ?? reader.fail('there is no element; expected one');
}

/** What is put where, in UTF-16 units of a file. */
export interface Insertion {
  readonly at: number;
  /** So much of the file is left out there. */
  readonly instead?: number;
  readonly text: string;
}

/** A file with something put into it; nothing that is left out overlaps another. */
export function withInsertions(content: string, insertions: readonly Insertion[]): string {
  let from = 0;
  let result = '';
  for (const { at, instead = 0, text } of [...insertions].sort((a, b) => a.at - b.at)) {
    result += content.slice(from, at) + text;
    from = at + instead;
  }
  return result + content.slice(from);
}
