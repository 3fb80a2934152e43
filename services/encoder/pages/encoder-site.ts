import { Assets, browserModule, STYLE } from '../../http/pages/assets.js';
import { bearerReaders } from '../../http/pages/bearer-readers.js';
import { LOOPBACK_READERS } from '../../http/pages/loopback-readers.js';
import type { Site } from '../../http/pages/site.js';
import type { EncoderService } from '../encoder-service.js';
import { deidentifyForm, deidentifyPage } from './deidentify-page.js';
import { jobEvents, jobForms, jobPage, jobsPage } from './job-pages.js';
import { modelsPage } from './models-page.js';
import { SCRIPT } from './script.js';
import { shareForm, sharePage } from './share-page.js';

/**
 * The encoder for people, in house: what it finds in a note, what would leave, what has left, and by which
 * models. With a token, its holder reads the pages; without one, whoever sits at this machine.
 */
export function encoderSite(service: EncoderService, token: string | undefined): Site {
  const { model, pipeline } = service.options.models.identities;
  return {
    title: 'Encoder',
    readers: token === undefined ? LOOPBACK_READERS : bearerReaders('encoder', token),
    assets: new Assets({ ...STYLE, [SCRIPT]: browserModule(import.meta.url, SCRIPT) }),
    pages: [
      deidentifyPage(service),
      sharePage(service),
      jobsPage(service),
      jobPage(service),
      jobEvents(service),
      modelsPage(service),
    ],
    forms: [deidentifyForm(service), shareForm(service), ...jobForms(service)],
    navigation: () => [
      ...(pipeline ? [{ href: '/', label: 'De-identify' }] : []),
      ...(model ? [{ href: '/share', label: 'Share' }] : []),
      ...(model ? [{ href: '/jobs', label: 'Jobs' }] : []),
      { href: '/models', label: 'Models' },
    ],
  };
}
