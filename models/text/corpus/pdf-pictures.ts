/** Names of pdf.js's operators, by which a page is painted, with their numbers. */
export type Operators = Readonly<Record<string, number>>;

/** What paints a page, in order, and what each takes. */
export interface OperatorList {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
}

const PICTURES = [
  ...['paintImageXObject', 'paintInlineImageXObject', 'paintImageMaskXObject'],
  ...['paintImageXObjectRepeat', 'paintInlineImageXObjectGroup', 'paintImageMaskXObjectGroup'],
];

/**
 * The area of all pictures of a page, in its units squared: each fills the unit square of its coordinates (ISO 32000-1, 8.9.5),
 * which the transformations before it have made as large as their determinants say. Undefined where there is none.
 */
export function areaOfPictures(
  { fnArray, argsArray }: OperatorList,
  operators: Operators,
): number | undefined {
  const pictures = new Set(PICTURES.map((name) => operators[name]));
  const { save, restore, transform, paintFormXObjectBegin, paintFormXObjectEnd } = operators;
  const outer: number[] = [];
  let scale = 1;
  let area: number | undefined;
  for (const [at, operator] of fnArray.entries()) {
    const args = (argsArray[at] ?? []) as readonly unknown[];
    if (operator === save) outer.push(scale);
    else if (operator === restore || operator === paintFormXObjectEnd) scale = outer.pop() ?? 1;
    else if (operator === transform) scale *= determinant(args);
    else if (operator === paintFormXObjectBegin) {
      outer.push(scale);
      scale *= determinant(args[0]);
    } else if (pictures.has(operator)) area = (area ?? 0) + Math.abs(scale);
  }
  return area;
}

/** Of a matrix [a, b, c, d, e, f]; 1 where there is none. */
function determinant(matrix: unknown): number {
  if (!Array.isArray(matrix) && !ArrayBuffer.isView(matrix)) return 1;
  const [a = 1, b = 0, c = 0, d = 1] = matrix as readonly number[];
  return a * d - b * c;
}
