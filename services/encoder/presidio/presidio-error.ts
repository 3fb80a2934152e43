import { TacetError } from '../../../proto/errors.js';

/** Which of Presidio's services an error is answered as. */
export type PresidioService = 'analyzer' | 'anonymizer';

const UNPROCESSABLE = 422;
const FAILED = 500;

/** What Presidio's analyzer refuses with a status of 500, though the request is at fault. */
export class AnalyzerRefusal extends TacetError {
  constructor(message: string) {
    super('request-invalid', message);
  }
}

/** The status that Presidio's service has for an error, `otherwise` where it knows no such error. */
export function presidioStatus(
  error: unknown,
  service: PresidioService,
  otherwise: number,
): number {
  if (error instanceof AnalyzerRefusal) return FAILED;
  const isInvalid = error instanceof TacetError && error.code === 'request-invalid';
  return isInvalid && service === 'anonymizer' ? UNPROCESSABLE : otherwise;
}
