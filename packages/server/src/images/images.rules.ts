/**
 * What may happen to an image, by its state (the contract's table). Whose image it is and who may do it is not judged
 * here.
 */
import {
  type ImageAction,
  type ImageState,
  imageStates,
  isImageActionAllowed,
} from '@bourse/api/images/image-states.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { RefusalData } from '../core/base/refusal.ts'

/** An image as it is stored. */
export type ImageRow = {
  id: Id<'image'>
  account_id: string
  workspace_id: Id<'workspace'>
  is_public: boolean
  state: ImageState
  sha256: string | null
  size_bytes: number | null
  deprecated_at: number | null
  deprecation_message: string | null
  revoked_at: number | null
  created_at: number
}

/** The marks of an image that its actions look at and change. */
export type ImageMarks = Readonly<
  Pick<ImageRow, 'state' | 'is_public' | 'deprecated_at' | 'deprecation_message' | 'revoked_at'>
>

/** What an action changes, and the event that tells of it, if any. */
export type ImageChange = { readonly image: Partial<ImageMarks>; readonly action: string | undefined }

/** Decides one of the four actions on an image's state; a refusal is `invalid_state`, or `already_public`. */
export function changeImage(
  image: ImageMarks,
  action: Exclude<ImageAction, 'launch' | 'delete' | 'upload' | 'download'>,
  { now, message }: { now: number; message?: string | undefined },
): ImageChange | RefusalData {
  if (action === 'publish' && image.is_public)
    return { code: 'already_public', message: 'This image is public already.' }
  if (!isImageActionAllowed(action, image.state)) {
    const { meaning } = imageStates[image.state]
    return { code: 'invalid_state', message: `An image that is ${image.state} cannot be this. ${meaning}` }
  }
  switch (action) {
    case 'publish':
      return { image: { is_public: true }, action: 'image.published' }
    case 'revoke':
      return { image: { state: 'revoked', revoked_at: now }, action: 'image.revoked' }
    case 'reinstate':
      return { image: { state: 'completed', revoked_at: null }, action: 'image.reinstated' }
    case 'deprecate':
      // Once set the mark stays: a repeat says something else about it, and nothing happened that would be an event.
      return {
        image: { deprecated_at: image.deprecated_at ?? now, deprecation_message: message ?? image.deprecation_message },
        action: image.deprecated_at === null ? 'image.deprecated' : undefined,
      }
  }
}
