/** The state of an image. Clients must accept further values. */
export type ImageState = 'started' | 'uploading' | 'verifying' | 'completed' | 'revoked' | 'failed'
/** The actions that depend on the state of an image. `launch`: an instance or a template uses the image. */
export type ImageAction = 'upload' | 'download' | 'launch' | 'publish' | 'revoke' | 'reinstate' | 'deprecate' | 'delete'

/** Why an image has failed. Clients must accept further values. */
export const imageFailures = ['upload_expired', 'digest_mismatch'] as const
export type ImageFailure = (typeof imageFailures)[number]

type ImageStateMeaning = {
  readonly meaning: string
  readonly next: readonly ImageState[]
  readonly actions: readonly ImageAction[]
}

/** The states of an image: which may follow which, and which actions each allows. `failed` is final. */
export const imageStates = {
  started: {
    meaning: 'Created. The upload has not begun.',
    next: ['uploading', 'failed'],
    actions: ['upload', 'delete'],
  },
  uploading: { meaning: 'Its parts are being uploaded.', next: ['verifying', 'failed'], actions: ['upload', 'delete'] },
  verifying: {
    meaning: 'The upload is complete, and the server computes its digest.',
    next: ['completed', 'failed'],
    actions: ['delete'],
  },
  completed: {
    meaning: 'Complete. Instances can start from it.',
    next: ['revoked'],
    actions: ['download', 'launch', 'publish', 'revoke', 'deprecate', 'delete'],
  },
  revoked: {
    meaning: 'No new instance starts from it. Running instances are not affected.',
    next: ['completed'],
    actions: ['download', 'reinstate', 'deprecate', 'delete'],
  },
  failed: {
    meaning: 'The upload was not completed in time, or its bytes do not have the digest that was sent.',
    next: [],
    actions: ['delete'],
  },
} as const satisfies Record<ImageState, ImageStateMeaning>

/** Whether an image may go from one state to another. */
export function mayImageBecome(from: ImageState, to: ImageState): boolean {
  const next: readonly ImageState[] = imageStates[from].next
  return next.includes(to)
}

/** Whether an action is allowed on an image in this state. */
export function isImageActionAllowed(action: ImageAction, state: ImageState): boolean {
  const actions: readonly ImageAction[] = imageStates[state].actions
  return actions.includes(action)
}
