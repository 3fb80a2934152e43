/** What of a run's input was left out: by its place, its type and an error's stable code, with no word of what it holds. */
export interface LeftOut {
  /** Its name beneath the input; of an input that is a file its own. */
  readonly file: string;
  /** From 1, of formats that hold a record a line. */
  readonly line?: number;
  /** A JSON pointer within the record, which counts from 0: the entry of a Bundle. */
  readonly pointer?: string;
  /** Of FHIR; absent where what stands there is no type of it. */
  readonly resourceType?: string | undefined;
  readonly code: string;
}

/** For people: `all.ndjson:3: /entry/1: Parameters: record-unsupported`. */
export function formatLeftOut({ file, line, pointer, resourceType, code }: LeftOut): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return [place, pointer, resourceType, code].filter((part) => part !== undefined).join(': ');
}
