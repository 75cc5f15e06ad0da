/**
 * Which actions the state of an image allows, by the table of the contract. Ownership and rights are checked elsewhere.
 */
import type { ImageFormat } from '@bourse/api/images/image-format.rules.ts'
import {
  type ImageAction,
  type ImageFailure,
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
  failure_reason: ImageFailure | null
  sha256: string | null
  size_bytes: number | null
  format: ImageFormat | null
  virtual_size_bytes: number | null
  deprecated_at: number | null
  deprecation_message: string | null
  revoked_at: number | null
  created_at: number
}

/** The columns of an image that actions read and change. */
type ImageMarks = Readonly<
  Pick<ImageRow, 'state' | 'is_public' | 'deprecated_at' | 'deprecation_message' | 'revoked_at'>
>

/** What an action changes, and its event, if any. */
type ImageChange = { readonly image: Partial<ImageMarks>; readonly action: string | undefined }

/** Applies an action to an image. Refuses `invalid_state` and `already_public`. */
export function changeImage(
  image: ImageMarks,
  action: Exclude<ImageAction, 'launch' | 'delete' | 'upload' | 'download'>,
  { now, message }: { now: number; message?: string | undefined },
): ImageChange | RefusalData {
  if (action === 'publish' && image.is_public) {
    return { code: 'already_public', message: 'This image is already public.' }
  }
  if (!isImageActionAllowed(action, image.state)) {
    const { meaning } = imageStates[image.state]
    const message = `The action ${action} is not allowed on an image that is ${image.state}. ${meaning}`
    return { code: 'invalid_state', message }
  }
  switch (action) {
    case 'publish':
      return { image: { is_public: true }, action: 'image.published' }
    case 'revoke':
      return { image: { state: 'revoked', revoked_at: now }, action: 'image.revoked' }
    case 'reinstate':
      return { image: { state: 'completed', revoked_at: null }, action: 'image.reinstated' }
    case 'deprecate':
      // The mark stays once set. A repeated call only changes the message and emits no event.
      return {
        image: { deprecated_at: image.deprecated_at ?? now, deprecation_message: message ?? image.deprecation_message },
        action: image.deprecated_at === null ? 'image.deprecated' : undefined,
      }
  }
}
