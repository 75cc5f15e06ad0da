/**
 * Ends uploads that nobody continues: 24 hours after the last part URL was asked for, the image fails and its bytes are
 * released. Not this file's work: bytes that no row names (image-upkeep.service.ts).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../core/work/reconciler.ts'
import { uploadExpiry } from './image-bytes.service.ts'
import { expireUpload } from './image-uploads.service.ts'

export const uploadExpiryReconciler: Reconciler = {
  kind: uploadExpiry,
  step: (ctx, key) => expireUpload(ctx, key as Id<'image'>),
}
