/** Where an instance stands. The list is open for clients, closed for this server. */
export type InstanceState = 'awaiting_allocation' | 'running' | 'failed' | 'terminated'
/** What a caller may ask of one instance by its state; reading is allowed in all of them. */
export type InstanceAction = 'update' | 'terminate' | 'replace' | 'delete'

type StateMeaning = {
  readonly meaning: string
  readonly next: readonly InstanceState[]
  readonly actions: readonly InstanceAction[]
}

/** The states of an instance: which may follow which, and which actions each allows. `terminated` is final. */
export const instanceStates = {
  awaiting_allocation: {
    meaning: 'Waits for allocation of its pool and for a host.',
    next: ['running', 'terminated'],
    actions: ['update', 'terminate', 'replace'],
  },
  running: {
    meaning: 'Its host works on it: the image may still be downloading or booting.',
    next: ['failed', 'terminated'],
    actions: ['update', 'terminate', 'replace'],
  },
  failed: {
    meaning: 'Its machine is lost or does not start. It still uses allocation and does not recover by itself.',
    next: ['terminated'],
    actions: ['update', 'terminate', 'replace'],
  },
  terminated: {
    meaning: 'Ended. Its record and its name stay for seven days, or until it is deleted.',
    next: [],
    actions: ['delete'],
  },
} as const satisfies Record<InstanceState, StateMeaning>

/** Whether an instance may go from one state to another. */
export function mayInstanceBecome(from: InstanceState, to: InstanceState): boolean {
  const next: readonly InstanceState[] = instanceStates[from].next
  return next.includes(to)
}

/** Whether an action is allowed on an instance in this state. */
export function isInstanceActionAllowed(action: InstanceAction, state: InstanceState): boolean {
  const actions: readonly InstanceAction[] = instanceStates[state].actions
  return actions.includes(action)
}
