/** Versions of the agent that the operator adds. Their archives are served to hosts without a token. */
import { createHash } from 'node:crypto'
import {
  type AgentBundle,
  type BundleManifest,
  type BundleOffer,
  bundleManifest,
  bundlesMax,
  type createAgentBundle as createContract,
  type listAgentBundles as listContract,
} from '@bourse/api/fleet/agent-bundles.ts'
import { agentSignatureNamespace, verifySshSignature } from '@bourse/api/fleet/agent-signatures.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { refuse } from '../../core/base/refusal.ts'
import { checkOf } from '../../core/base/validate.ts'
import type { TransferRoute } from '../../core/http/transfer.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { conditions, pageResponse } from '../../core/work/page.ts'
import { allow, refuseNotFound } from '../../iam/access/permissions.service.ts'
import { requirePlatformAccount } from '../../iam/accounts/accounts.service.ts'
import { lockAccount } from '../../iam/names/owners.service.ts'
import * as store from './agent-bundles.store.ts'

const checkManifest = checkOf(bundleManifest)

/** Adds a version. */
export async function createAgentBundle(
  ctx: Ctx,
  { manifest: text, signature, content }: Input<typeof createContract>['body'],
): Promise<AgentBundle> {
  await allow(ctx, 'platform:write', null)
  const bytes = Buffer.from(content, 'base64')
  if (bytes.toString('base64') !== content) refuse('invalid_base64', 'The archive is not in padded base64.', 'content')
  const manifest = manifestOf(text) ?? refuse('bundle_refused', 'The manifest is no manifest of a bundle.', 'manifest')
  const signer = await signerOf(ctx, text, signature)
  if (bytes.length !== manifest.size_bytes || digestOf(bytes) !== manifest.sha256) {
    refuse('bundle_refused', 'The archive is not the one of the manifest: size or SHA-256 differ.', 'content')
  }
  await lockAccount(ctx, await requirePlatformAccount(ctx))
  const { version, sha256 } = manifest
  if (await store.findBundleOfVersion(ctx.db, version)) {
    refuse('bundle_exists', `There is a bundle of version ${version} already.`, 'manifest')
  }
  if ((await store.countAgentBundles(ctx.db)) >= bundlesMax) {
    refuse('limit_exceeded', `There are ${bundlesMax} bundles. Delete one that no host needs.`)
  }
  const id = ctx.newId('agent_bundle')
  const row = { id, version, manifest: text, signature, signer, created_at: ctx.now }
  await store.insertAgentBundle(ctx.db, { ...row, sha256, content })
  return present(row)
}

async function signerOf(ctx: Ctx, manifest: string, signature: string): Promise<string> {
  const verified = await verifySshSignature(manifest, signature, agentSignatureNamespace)
  if ('problem' in verified) refuse('bundle_refused', verified.problem, 'signature')
  const { agent_signers } = ctx.services
  if (agent_signers.length > 0 && !agent_signers.includes(verified.signer)) {
    refuse('bundle_refused', 'It is signed by a key that is not in BOURSE_AGENT_SIGNERS_FILE.', 'signature')
  }
  return verified.signer
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function manifestOf(text: string): BundleManifest | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return checkManifest(value) ? undefined : (value as BundleManifest)
  } catch {
    return undefined
  }
}

/** Lists the versions. */
export async function listAgentBundles(ctx: Ctx, query: Input<typeof listContract>['query']) {
  await allow(ctx, 'platform:read', null)
  const page = await store.listAgentBundles(ctx, query, { where: conditions() })
  return pageResponse(page, page.rows.map(present))
}

/** Reads one version. */
export async function getAgentBundle(ctx: Ctx, id: Id<'agent_bundle'>): Promise<AgentBundle> {
  await allow(ctx, 'platform:read', null)
  return present((await store.findAgentBundle(ctx.db, id)) ?? refuseNotFound())
}

/** A version by its name, with its manifest; undefined if there is none. */
export async function findBundle(ctx: Ctx, version: string): Promise<BundleManifest | undefined> {
  const row = await store.findBundleOfVersion(ctx.db, version)
  return row && manifestOf(row.manifest)
}

/** A version as hosts get it; null if there is none. */
export async function offerOf(ctx: Ctx, version: string): Promise<BundleOffer | null> {
  const row = await store.findBundleOfVersion(ctx.db, version)
  return row ? { manifest: row.manifest, signature: row.signature } : null
}

/** Deletes a version, unless `isUsed` says that the newest rollout is to it. */
export async function removeBundle(
  ctx: Ctx,
  id: Id<'agent_bundle'>,
  isUsed: (version: string) => Promise<boolean>,
): Promise<void> {
  await allow(ctx, 'platform:write', null)
  await lockAccount(ctx, await requirePlatformAccount(ctx))
  const row = (await store.findAgentBundle(ctx.db, id)) ?? refuseNotFound()
  if (await isUsed(row.version)) {
    refuse('in_use', `The newest rollout is to version ${row.version}, so hosts still need its bundle.`)
  }
  await store.deleteAgentBundleRow(ctx.db, id)
}

function present({ id, manifest, signer, created_at }: store.AgentBundleRow): AgentBundle {
  const { version, commit, architecture, protocol, oldest_server_protocol, sha256, size_bytes } = JSON.parse(
    manifest,
  ) as BundleManifest
  return {
    object: 'agent_bundle',
    id,
    version,
    commit,
    architecture,
    protocol,
    oldest_server_protocol,
    sha256,
    size_bytes,
    signer,
    created_at,
  }
}

/** The archive by its digest, which the host has from a manifest that is signed. It has no secret. */
export const bundleTransfer: TransferRoute = {
  name: 'get_agent_archive',
  method: 'GET',
  path: '/agent/v1/bundles/:sha256',
  run: async ({ database }, { params }) => {
    const { sha256 = '' } = params
    const isDigest = /^[0-9a-f]{64}$/.test(sha256)
    const content = isDigest ? await store.findBundleContent(database.reader, sha256) : undefined
    if (!content) refuseNotFound()
    const open = async function* () {
      yield content
    }
    return { status: 200, headers: [], media_type: 'application/gzip', content: { size_bytes: content.length, open } }
  },
}
