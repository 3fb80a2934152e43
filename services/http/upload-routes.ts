import type { Role } from '../../pool-store/members/tokens.js';
import { PATHS } from '../../proto/paths.js';
import { NO_CONTENT } from './answer.js';
import { type Call, type Route, route } from './route.js';
import type { Uploads } from './uploads.js';

const VERSION = { 'Tus-Resumable': 'Version of the protocol, 1.0.0' };

/** The verbs of tus 1.0, as `Uploads` answers them. */
export function uploadRoutes(uploads: Uploads, roles: readonly Role[]): Route[] {
  const how = {
    roles,
    answer: NO_CONTENT,
    streams: true,
    handle: ({ request, response }: Call) => uploads.handle(request, response),
  };
  return [
    route({
      method: 'post',
      path: PATHS.uploads,
      summary: 'Begin an upload (tus creation; Upload-Metadata: digest, kind)',
      success: 201,
      ...how,
      takes: {
        headers: {
          ...VERSION,
          'Upload-Length': 'Bytes of the whole',
          'Upload-Metadata': 'digest, the SHA-256 in hex, and kind, each in base64',
        },
      },
    }),
    route({
      method: 'head',
      path: PATHS.upload,
      summary: 'How much has arrived (tus)',
      ...how,
      takes: { headers: VERSION },
    }),
    route({
      method: 'patch',
      path: PATHS.upload,
      summary: 'Send bytes from an offset on (tus)',
      success: 204,
      ...how,
      takes: {
        media: 'application/offset+octet-stream',
        headers: { ...VERSION, 'Upload-Offset': 'How much has arrived' },
      },
    }),
    route({
      method: 'delete',
      path: PATHS.upload,
      summary: 'Give an upload up (tus termination)',
      success: 204,
      ...how,
      takes: { headers: VERSION },
    }),
  ];
}
