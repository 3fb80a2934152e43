import type { VNode } from 'preact';
import { INVENTORY_FILE } from '../../../models/bundle/bundle-files.js';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { readsText, weightsTell } from '../../../models/bundle/uses.js';
import { AuditFindings } from './audit-findings.js';
import type { SummarisedAudit } from './audit-summaries.js';
import { LimitsTable } from './limits-table.js';

interface PrivacyStatementsProps {
  readonly manifest: Manifest;
  readonly audits: readonly SummarisedAudit[];
}

/** What a release tells of a note, in three statements that are promised differently and never mixed. */
export function PrivacyStatements({ manifest, audits }: PrivacyStatementsProps): VNode {
  if (manifest.kind === 'pipeline') return <OfPipeline manifest={manifest} />;
  return (
    <>
      <p>
        Three statements, promised differently and never mixed. They hold where labelled entities
        are replaced before encoding, as by default; where a house keeps them (
        <code>--entities keep</code>, or <code>--keep</code> for some types), what is said of a name
        that nobody labelled is said of every name that is kept.
      </p>
      <Labelled files={manifest.files} audits={audits} />
      <NotLabelled manifest={manifest} audits={audits} />
      <TheRest audits={audits} />
      <TrainingNotes manifest={manifest} audits={audits} />
    </>
  );
}

function OfPipeline({ manifest }: Pick<PrivacyStatementsProps, 'manifest'>): VNode {
  const { noise, training } = manifest;
  return (
    <p>
      Nothing is encoded with it for others: a pipeline finds PHI in house. What it leaves in a text
      that is then given away is for people to check.{' '}
      {noise === undefined
        ? readsText(training)
        : `The representation inside it is not for releases. ${weightsTell(training)}`}
    </p>
  );
}

type Audited = Pick<PrivacyStatementsProps, 'audits'>;

function Labelled({ files, audits }: Audited & Pick<Manifest, 'files'>): VNode {
  return (
    <section class="card">
      <h3>PHI that somebody labelled: nothing, by construction</h3>
      <p>
        Before a sentence is encoded, every labelled entity in it is replaced by a public one of the
        same type that chance chose. What leaves does not depend on what it was: by it, whoever must
        tell one entity from another is right by chance, <strong>exactly</strong>. This rests on no
        measurement and on no model. The words around it, of which the last statement speaks, may
        tell what it was.
      </p>
      <p>
        {files[INVENTORY_FILE] === undefined
          ? 'This bundle brings no inventory of such entities: a house names one (--inventory).'
          : 'This bundle brings an inventory of such entities.'}{' '}
        That an entity stood there, and of which type, is shared in clear.
      </p>
      <AuditFindings audits={audits} of="labelled PHI" />
    </section>
  );
}

function NotLabelled({ manifest, audits }: PrivacyStatementsProps): VNode {
  return (
    <section class="card">
      <h3>A name that nobody labelled: at most the certified limit, on average</h3>
      <p>
        It is encoded as it is. Of one word of it that becomes another of its candidates, in one
        release, no attack whatever, tried or not, is right more often than this on notes like those
        it was measured on. 50 % is a coin. It is a mean: single names can be wide open, which the
        percentiles and the maximum show.
      </p>
      <LimitsTable scores={manifest.scores} audits={audits} />
      <AuditFindings audits={audits} of="a name that nobody labelled" />
    </section>
  );
}

function TheRest({ audits }: Audited): VNode {
  return (
    <section class="card">
      <h3>The rest of the text: nothing is promised</h3>
      <p>
        What identifies nobody is not hidden. Labels and lengths of sentences are shared in clear,
        and a note that somebody holds can be recognised by them. What audits could confirm or read:
      </p>
      <AuditFindings audits={audits} of="the rest of the text" />
    </section>
  );
}

/** No note of a house that shares is meant, and so none of the three statements. */
function TrainingNotes({ manifest, audits }: PrivacyStatementsProps): VNode {
  return (
    <section class="card">
      <h3>Besides: the notes that the provider trained on</h3>
      <p>{weightsTell(manifest.training)}</p>
      <AuditFindings audits={audits} of={undefined} />
    </section>
  );
}
