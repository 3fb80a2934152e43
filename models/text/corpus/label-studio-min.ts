import { TacetError } from '../../../proto/errors.js';

/**
 * An item of Label Studio's export JSON_MIN: the values of a task's data, what was annotated under the names of
 * the controls it was annotated with, and who did when.
 */
export type MinItem = Readonly<Record<string, unknown>>;

/** A region of a text in it. */
export type MinRegion = Readonly<Record<string, unknown>>;

/** What it says of the annotation itself. */
const ABOUT: ReadonlySet<string> = new Set([
  ...['id', 'annotator', 'annotation_id', 'lead_time', 'agreement'],
  ...['created_at', 'updated_at'],
]);

/** Whether a value is of JSON_MIN, not a task: nothing is called `data`, and it says who annotated it, or what. */
export function isMinItem(value: unknown): value is MinItem {
  if (!isObject(value) || isObject(value.data)) return false;
  return 'annotation_id' in value || 'annotator' in value || regionKeysOf(value).length > 0;
}

/** The names of the controls whose regions it holds. */
export function regionKeysOf(item: MinItem): string[] {
  return Object.keys(item).filter((key) => {
    const value = item[key];
    return Array.isArray(value) && value.some(isRegionLike);
  });
}

/** The name of the value with the text: `text`, or the only string that tells nothing of the annotation. */
export function minTextKey(item: MinItem, origin: string): string {
  if (typeof item.text === 'string') return 'text';
  const [only, another] = Object.keys(item).filter(
    (key) => typeof item[key] === 'string' && !ABOUT.has(key),
  );
  if (only !== undefined && another === undefined) return only;
  throw new TacetError(
    'corpus-invalid',
    `${origin}: it does not say which of its values is the text; expected "text"`,
  );
}

export function regionsOf(item: MinItem): MinRegion[] {
  return regionKeysOf(item).flatMap((key) => item[key] as MinRegion[]);
}

/** Of a text or of something else, which is refused for it. */
function isRegionLike(value: unknown): boolean {
  return isObject(value) && Object.keys(value).some((key) => /^(start|end)$|labels$/.test(key));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
