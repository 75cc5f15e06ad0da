/** What may be done with an image in a state. `launch` stands for every use as the image of a machine. */
export type ImageAction = 'launch' | 'revoke' | 'reinstate' | 'deprecate' | 'publish' | 'delete'

type StateRow<S extends string> = {
  readonly meaning: string
  readonly next: readonly S[]
  readonly actions: readonly ImageAction[]
}

/** Every state of an image. */
export type ImageState = 'started' | 'uploading' | 'completed' | 'revoked' | 'failed'

/** Which state of an image may follow which, and what may be done in each. */
export const imageStates: Readonly<Record<ImageState, StateRow<ImageState>>> = {
  started: { meaning: 'Created; no part was asked for.', next: ['uploading', 'failed'], actions: ['delete'] },
  uploading: { meaning: 'Its parts are being uploaded.', next: ['completed', 'failed'], actions: ['delete'] },
  completed: {
    meaning: 'Whole; instances may start from it.',
    next: ['revoked'],
    actions: ['launch', 'revoke', 'deprecate', 'publish', 'delete'],
  },
  revoked: {
    meaning: 'Running instances stay, new ones are refused.',
    next: ['completed'],
    actions: ['reinstate', 'deprecate', 'delete'],
  },
  failed: { meaning: 'Not completed within 24 hours.', next: [], actions: ['delete'] },
}

/** The names of the states, in the order of an image's life. */
export const imageStateNames = Object.keys(imageStates) as ImageState[]
