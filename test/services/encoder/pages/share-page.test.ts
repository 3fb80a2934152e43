import { describe, expect, test } from '@jest/globals';
import { renderToString } from 'preact-render-to-string';
import type {
  EncoderOptions,
  EncoderService,
} from '../../../../services/encoder/encoder-service.js';
import { sharePage } from '../../../../services/encoder/pages/share-page.js';
import type { PageCall, Shown } from '../../../../services/http/pages/page.js';

const CERTIFICATION = { limit: 0.7, neighbours: 100 };

async function shown(limits: EncoderOptions['limits']): Promise<string> {
  const service = { options: { home: '/nowhere', limits } } as EncoderService;
  const answer = await sharePage(service).show({} as PageCall);
  return renderToString((answer as Shown).body);
}

describe('what would leave, where entities are kept', () => {
  test.each<[string, EncoderOptions['limits']]>([
    ['all', { entities: 'kept' }],
    ['of a type', { keptTypes: ['ORG'] }],
  ])('is under no limit where none is certified: %s', async (_, limits) => {
    const markup = await shown(limits);
    expect(markup).toContain('nothing is certified: no limit stands for what their vectors tell.');
    expect(markup).not.toContain('certified limit');
    const certified = await shown({ ...limits, certification: CERTIFICATION });
    expect(certified).toContain('under a certified limit of 70.0 %: of 19 in 20 entities of every');
    expect(certified).not.toContain('nothing is certified');
  });
});
