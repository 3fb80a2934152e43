import type { VNode } from 'preact';
import { Badge } from '../../../platform/pages/badge.js';
import { type Fact, Facts } from '../../../platform/pages/facts.js';
import { Notice } from '../../../platform/pages/notice.js';
import { Time } from '../../../platform/pages/time.js';
import { TacetError } from '../../../proto/errors.js';
import { type Page, page } from '../../http/pages/page.js';
import { type ModelOrigin, originOf } from '../../institution/approval/model-origin.js';
import type { EncoderService } from '../encoder-service.js';
import type { SignedIdentity } from '../model-calls.js';
import { LeftSoFar } from './left-so-far.js';

/** Which models are at work here, who signed them, and what their registry last said of them. */
export function modelsPage(service: EncoderService): Page {
  return page({
    path: '/models',
    show: async () => {
      const { models, home, policy } = service.options;
      const { model, pipeline } = models.identities;
      const refusal = refusalOf(service);
      return {
        title: 'Models',
        body: (
          <>
            {refusal && <Notice kind="danger">{refusal.message}</Notice>}
            {pipeline && (
              <Model
                of={pipeline}
                purpose="De-identifies"
                origin={await originOf(pipeline.digest)}
                answered={service.answered.pipeline}
              >
                {[['Finds', pipeline.types.join(', ')]]}
              </Model>
            )}
            {model && (
              <Model
                of={model}
                purpose="Encodes"
                origin={await originOf(model.digest)}
                answered={service.answered.model}
              >
                {[]}
              </Model>
            )}
            <h2>What has left under it</h2>
            <LeftSoFar home={home} policy={policy} />
          </>
        ),
      };
    },
  });
}

interface ModelProps {
  readonly of: SignedIdentity;
  readonly purpose: string;
  readonly origin: ModelOrigin | undefined;
  /** When its registry last answered this encoder. */
  readonly answered: Date | undefined;
  readonly children: readonly Fact[];
}

function Model({
  of: { name: called, version, digest, keyIds },
  purpose,
  origin,
  answered,
  children,
}: ModelProps): VNode {
  return (
    <section class="card">
      <h2>
        {called} {version}
      </h2>
      <Facts
        facts={[
          ['Does', purpose],
          ...children,
          ['SHA-256', <code>{digest}</code>],
          [
            'Signed by',
            keyIds.map((keyId) => (
              <div>
                <code>{keyId}</code>
              </div>
            )),
          ],
          [
            'Revoked',
            origin ? (
              <LastAnswer origin={origin} answered={answered} />
            ) : (
              'nobody was asked: no registry is known of it'
            ),
          ],
        ]}
      />
    </section>
  );
}

type LastAnswerProps = { readonly origin: ModelOrigin } & Pick<ModelProps, 'answered'>;

/** What was remembered at the start, and the later moment of an answer that changed nothing of it. */
function LastAnswer({ origin: { registry, answer }, answered }: LastAnswerProps): VNode {
  const { status, reason } = answer;
  const [time = answer.time] = [answer.time, answered?.toISOString() ?? ''].sort().reverse();
  return (
    <>
      <Badge kind={status === 'revoked' ? 'danger' : status === 'deprecated' ? 'warn' : 'good'}>
        {status}
      </Badge>{' '}
      as {registry} said last, <Time iso={time} />
      {reason !== null && `: ${reason}`}
    </>
  );
}

function refusalOf(service: EncoderService): TacetError | undefined {
  try {
    service.requireReady();
    return undefined;
  } catch (error) {
    if (error instanceof TacetError) return error;
    throw error;
  }
}
