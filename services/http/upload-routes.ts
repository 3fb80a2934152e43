import type { Role } from '../../pool-store/members/tokens.js';
import { PATHS } from '../../proto/paths.js';
import { NO_CONTENT } from './answer.js';
import { type Call, type Route, route } from './route.js';
import type { Uploads } from './uploads.js';

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
    }),
    route({ method: 'head', path: PATHS.upload, summary: 'How much has arrived (tus)', ...how }),
    route({
      method: 'patch',
      path: PATHS.upload,
      summary: 'Send bytes from an offset on (tus)',
      success: 204,
      ...how,
    }),
    route({
      method: 'delete',
      path: PATHS.upload,
      summary: 'Give an upload up (tus termination)',
      success: 204,
      ...how,
    }),
  ];
}
