/**
 * Ends uploads that nobody goes on with: 24 hours after the last part URL was asked for, the image has failed and holds
 * nothing any more. Not this file's work: bytes that no row names (image-upkeep.service.ts).
 */
import { UPLOAD_LIFE_SECONDS } from '@bourse/api/images/image-uploads.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../core/work/reconciler.ts'
import { forgetUpload, uploadExpiry } from './image-bytes.service.ts'
import { findUpload } from './image-parts.store.ts'
import { refuseInState } from './image-uploads.rules.ts'
import { lockImage } from './images.service.ts'
import { findImage, updateImage } from './images.store.ts'

export const uploadExpiryReconciler: Reconciler = {
  kind: uploadExpiry,
  step: async (ctx, key) => {
    if (!(await findImage(ctx.db, key))) return undefined
    const row = await lockImage(ctx, key as Id<'image'>)
    const upload = await findUpload(ctx.db, row.id)
    if (!upload || refuseInState(row.state, 'upload')) return undefined
    const ends_at = upload.part_url_at + UPLOAD_LIFE_SECONDS
    if (ends_at > ctx.now) return ends_at
    await updateImage(ctx.db, { ...row, state: 'failed' })
    await forgetUpload(ctx, row)
    return undefined
  },
}
