import { type VerifiedFiles, verifyBundle } from '../../../../models/bundle/verify.js';
import type { Embeddings } from '../../../../models/embeddings/embeddings.js';
import { openEmbeddings } from '../../../../models/embeddings/open.js';
import { Inventory } from '../../../../models/surrogates/inventory.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import type { LabelScheme } from '../../../../models/text/label-scheme.js';
import { inventoryIn, openEncodingModel } from '../../bundles/encoding-model.js';
import {
  requireEmbeddings,
  requireKind,
  requireScheme,
  requireTokenisation,
} from '../../bundles/fitted-bundle.js';
import { KeptTypes } from '../../release/job/kept-types.js';
import { requireInventory } from '../../release/job/required-inventory.js';
import { approveModel } from '../model-approval.js';
import { registryGrounds } from '../registry-grounds.js';
import { requireAudit } from '../required-audit.js';
import { type Checklist, NotLookedAt, requireFound, SERVER_ADVICE } from './checklist.js';
import type { PreflightOptions } from './preflight-options.js';

/** What is known of the model so far. */
export interface KnownModel {
  readonly bundle: VerifiedFiles | undefined;
  readonly embeddings: Embeddings | undefined;
}

/** Looks at the model: its signature, what it was trained on, what others say of it, its weights. */
export async function checkModel(
  checklist: Checklist,
  options: PreflightOptions,
): Promise<KnownModel> {
  const bundle = await checkSignature(checklist, options);
  await checkTokenisation(checklist, options, bundle);
  const scheme = await checkScheme(checklist, options, bundle);
  await checkKeptTypes(checklist, options, scheme);
  await checkInventory(checklist, options, bundle, scheme);
  const embeddings = await checkEmbeddings(checklist, options, bundle);
  const audits = await checkRegistry(checklist, options, bundle);
  await checkAudit(checklist, options, bundle, audits);
  await checkWeights(checklist, options, { bundle, embeddings });
  return { bundle, embeddings };
}

function requireVerified(bundle: VerifiedFiles | undefined): VerifiedFiles {
  return requireFound(bundle, 'the model did not verify');
}

function checkSignature(
  checklist: Checklist,
  { model, trust }: PreflightOptions,
): Promise<VerifiedFiles | undefined> {
  const advice = {
    'model-unsuitable': 'give a representation bundle: a pipeline is for tacet deidentify',
    'key-untrusted': 'check which publisher keys you trust, and who signed the model',
    otherwise: 'fetch the model again with tacet model fetch; check which publisher keys you trust',
  };
  return checklist.check('model and signature', advice, async () => {
    const found = await verifyBundle(model, trust);
    requireKind(model, found.manifest, 'representation');
    const { manifest, digest } = found;
    return { text: `${manifest.name} ${manifest.version}, digest ${digest}`, value: found };
  });
}

function checkTokenisation(
  checklist: Checklist,
  { model }: PreflightOptions,
  bundle: VerifiedFiles | undefined,
): Promise<void> {
  const otherwise = 'use the version of tacet that the model was made with, or a newer model';
  return checklist.checkAlone('tokenisation', { otherwise }, async () => {
    const { tokenisation } = requireVerified(bundle).manifest;
    requireTokenisation(model, tokenisation);
    return tokenisation;
  });
}

function checkScheme(
  checklist: Checklist,
  { model, policy }: PreflightOptions,
  bundle: VerifiedFiles | undefined,
): Promise<LabelScheme | undefined> {
  const otherwise = 'fetch a model of the label scheme that the policy names, or change the policy';
  return checklist.check('label scheme', { otherwise }, async () => {
    const { manifest } = requireVerified(bundle);
    const scheme = requireScheme(model, manifest, policy?.labelScheme);
    return { text: `${scheme.name} ${scheme.version}`, value: scheme };
  });
}

function requireKnown(scheme: LabelScheme | undefined): LabelScheme {
  return requireFound(scheme, 'the label scheme is not known');
}

/** Whether the types that a policy allows to be kept are of those that describe. */
async function checkKeptTypes(
  checklist: Checklist,
  { policy }: PreflightOptions,
  scheme: LabelScheme | undefined,
): Promise<void> {
  const { keptTypes = [] } = policy ?? {};
  if (keptTypes.length === 0) return;
  const otherwise = 'leave the type out of keptTypes of the policy: its entities are replaced';
  await checklist.checkAlone('kept types', { otherwise }, async () => {
    const { names } = new KeptTypes(keptTypes, requireKnown(scheme));
    return `${names.join(', ')}: where a job keeps their entities, they leave under the certified limit alone`;
  });
}

/** What would stand for the entities of notes, and for which types there is nothing. */
async function checkInventory(
  checklist: Checklist,
  { policy, inventory: given, ...options }: PreflightOptions,
  bundle: VerifiedFiles | undefined,
  scheme: LabelScheme | undefined,
): Promise<void> {
  const { entities = policy?.entities ?? 'replaced' } = options;
  if (entities === 'kept') return checklist.leaveOut('inventory');
  const otherwise =
    'make one of public entities with tacet inventory create, and give it with --inventory';
  await checklist.checkAlone('inventory', { otherwise }, async () => {
    const found = requireVerified(bundle);
    const known = requireKnown(scheme);
    const own = given ? new Inventory(given) : inventoryIn(found, known);
    const { digest, types } = requireInventory(own, known, policy?.inventory);
    const missing = known.types.filter((type) => !types.includes(type));
    const without = missing.length > 0 ? `; notes with ${missing.join(', ')} are refused` : '';
    return `${digest}, entities of ${types.length} types${without}`;
  });
}

/** Those that were given, also where the model wants others. */
async function checkEmbeddings(
  checklist: Checklist,
  options: PreflightOptions,
  bundle: VerifiedFiles | undefined,
): Promise<Embeddings | undefined> {
  let opened: Embeddings | undefined;
  const otherwise = "get the embeddings file that the model's card names";
  await checklist.checkAlone('embeddings', { otherwise }, async () => {
    opened = await openEmbeddings(options.embeddings, options);
    requireEmbeddings(options.model, requireVerified(bundle).manifest, opened);
    return opened.identity;
  });
  return opened;
}

/** The audits at hand, and those that the registry knows besides. */
async function checkRegistry(
  checklist: Checklist,
  options: PreflightOptions,
  bundle: VerifiedFiles | undefined,
): Promise<readonly unknown[]> {
  const name = 'registry and revocation';
  const { registry, policy, access, signal, audits } = options;
  const requireRevocationCheck = policy?.requireRevocationCheck ?? false;
  if (!registry && !requireRevocationCheck && !access) {
    checklist.leaveOut(name);
    return audits;
  }
  const advice = {
    ...SERVER_ADVICE,
    'model-revoked': 'fetch another model',
    'bundle-digest': 'fetch the model again with tacet model fetch',
    otherwise: 'check the address of the registry and the token',
  };
  const attached = await checklist.check(name, advice, async () => {
    const { digest, manifest } = requireVerified(bundle);
    const model = { ...manifest, digest };
    const given = { registry, policy: { requireRevocationCheck } };
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    const grounds = access ? await registryGrounds(model, given, access, say) : given;
    if (!grounds.registry && !requireRevocationCheck)
      throw new NotLookedAt(lines.join('; ') || 'no registry is known');
    const status = await approveModel(model, grounds, signal);
    const text = [status?.status, status?.reason, ...lines].filter(Boolean).join(': ');
    return { text, value: status?.audits };
  });
  return [...audits, ...(attached ?? [])];
}

async function checkAudit(
  checklist: Checklist,
  { policy }: PreflightOptions,
  bundle: VerifiedFiles | undefined,
  audits: readonly unknown[],
): Promise<void> {
  const demand = policy?.audit;
  if (!demand) return checklist.leaveOut('audit');
  const otherwise =
    'ask the publisher for a full audit by an auditor that the policy trusts, on as many candidates';
  await checklist.checkAlone('audit', { otherwise }, async () => {
    requireAudit(requireVerified(bundle).digest, audits, demand);
    return 'within the policy';
  });
}

function checkWeights(
  checklist: Checklist,
  { model, trust, policy, backend }: PreflightOptions,
  found: KnownModel,
): Promise<void> {
  const advice = {
    'bundle-invalid': 'do not use the model; tell its publisher',
    otherwise: 'build tacet again, or choose another --backend',
  };
  return checklist.checkAlone('weights', advice, async () => {
    const embeddings = requireFound(found.embeddings, 'there are no embeddings');
    if (checklist.hasFailed) throw new NotLookedAt('the model is not approved');
    await useBackend(backend);
    const fitted = { ...trust, embeddings, scheme: policy?.labelScheme };
    const { representation } = await openEncodingModel(model, fitted);
    representation.dispose();
    return 'open, with the noise that the manifest states';
  });
}
