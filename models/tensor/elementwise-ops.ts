/** Of two tensors, to numbers. */
export const ARITHMETIC = [
  'Add',
  'Sub',
  'Multiply',
  'RealDiv',
  'Maximum',
  'Minimum',
  'SquaredDifference',
] as const;
export type ArithmeticOp = (typeof ARITHMETIC)[number];

/** Of two tensors, to truth values. */
export const COMPARISONS = [
  'Greater',
  'GreaterEqual',
  'Less',
  'LessEqual',
  'Equal',
  'NotEqual',
] as const;
export type ComparisonOp = (typeof COMPARISONS)[number];

/** Of one tensor, without constants. */
export const UNARY = [
  'Abs',
  'Exp',
  'Log',
  'Neg',
  'Reciprocal',
  'Relu',
  'Rsqrt',
  'Sigmoid',
  'Softplus',
  'Sqrt',
  'Square',
  'Tanh',
] as const;
export type UnaryOp = (typeof UNARY)[number];
