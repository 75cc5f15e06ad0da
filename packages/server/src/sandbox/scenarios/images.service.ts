import type { Image } from '@bourse/api/images/images.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { createReadyImage as createContract } from '@bourse/api/sandbox/additions.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { chooseWorkspace } from '../../iam/access/permissions.service.ts'
import { findPublicWorkspace } from '../../iam/accounts/bootstrap.service.ts'
import { addReadyImage, type ReadyImage } from '../../images/images.service.ts'

const imageBytes = { least: 400_000_000, spread: 1_600_000_000 }

/** A random checksum and size for an image without an upload. */
export function drawContent({
  random,
}: Ctx): Pick<ReadyImage, 'sha256' | 'size_bytes' | 'format' | 'virtual_size_bytes'> {
  return {
    sha256: random.bytes(32).toString('hex'),
    size_bytes: imageBytes.least + random.integer(imageBytes.spread),
    format: 'qcow2',
    virtual_size_bytes: 20 * 2 ** 30,
  }
}

/** Adds an image that is ready without an upload: the caller's own, or a public one of the platform account. */
export async function createReadyImage(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<Image> {
  const { name, workspace, is_public = false } = body
  if (is_public && workspace !== undefined) {
    refuse('not_applicable', 'Public images belong to the workspace `public` of the platform account.', 'workspace')
  }
  const place = is_public ? await publicPlace(ctx) : await ownPlace(ctx, body)
  return addReadyImage(ctx, { ...place, name, is_public, ...drawContent(ctx) })
}

async function ownPlace(ctx: Ctx, { workspace }: Input<typeof createContract>['body']) {
  const { account_id } = callerOf(ctx)
  return { account_id, workspace_id: await chooseWorkspace(ctx, workspace) }
}

async function publicPlace(ctx: Ctx): Promise<{ account_id: string; workspace_id: Id<'workspace'> }> {
  return (await findPublicWorkspace(ctx)) ?? refuse('reference_not_found', 'There is no platform account.', 'is_public')
}
