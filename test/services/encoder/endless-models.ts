import { TacetError } from '../../../proto/errors.js';
import { EncoderService } from '../../../services/encoder/encoder-service.js';
import type { ModelThread } from '../../../services/encoder/model-thread.js';

const model = { digest: '', name: 'representation', version: '1.0.0', keyIds: [] };
/** Works on whatever it is asked until it is told to stop. */
const models = {
  identities: { model, pipeline: undefined },
  call: (_name: string, _input: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
} as unknown as ModelThread;

export const explain = (error: unknown) =>
  error instanceof TacetError ? error : new TacetError('internal', 'it failed');

/** An encoder whose first job runs until the service closes. */
export function endlessEncoder(home: string): Promise<EncoderService> {
  return EncoderService.open({ home, models, limits: {}, approval: {}, explain });
}
