/** Where an image stands. The list is open for clients, closed for this server. */
export type ImageState = 'started' | 'uploading' | 'completed' | 'revoked' | 'failed'
/** What may be done with an image by its state. `launch` is every use as the image of a machine or of a template. */
export type ImageAction = 'upload' | 'download' | 'launch' | 'publish' | 'revoke' | 'reinstate' | 'deprecate' | 'delete'

type StateMeaning = {
  readonly meaning: string
  readonly next: readonly ImageState[]
  readonly actions: readonly ImageAction[]
}

/** The states of an image: which may follow which, and which actions each allows. `failed` is final. */
export const imageStates = {
  started: { meaning: 'Created; no part was asked for.', next: ['uploading', 'failed'], actions: ['upload', 'delete'] },
  uploading: { meaning: 'Its parts are being uploaded.', next: ['completed', 'failed'], actions: ['upload', 'delete'] },
  completed: {
    meaning: 'Whole; instances may start from it.',
    next: ['revoked'],
    actions: ['download', 'launch', 'publish', 'revoke', 'deprecate', 'delete'],
  },
  revoked: {
    meaning: 'Instances that run stay, new ones are refused.',
    next: ['completed'],
    actions: ['download', 'reinstate', 'deprecate', 'delete'],
  },
  failed: { meaning: 'Not completed within 24 hours.', next: [], actions: ['delete'] },
} as const satisfies Record<ImageState, StateMeaning>

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
