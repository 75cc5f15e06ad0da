/** The state of an instance. Clients must accept further values. */
export type InstanceState = 'awaiting_allocation' | 'running' | 'failed' | 'terminated'
/** The actions that depend on the state of an instance. Reading is allowed in every state. */
export type InstanceAction = 'update' | 'terminate' | 'replace' | 'delete'

type InstanceStateMeaning = {
  readonly meaning: string
  readonly next: readonly InstanceState[]
  readonly actions: readonly InstanceAction[]
}

/** The states of an instance: which may follow which, and which actions each allows. `terminated` is final. */
export const instanceStates = {
  awaiting_allocation: {
    meaning: 'Waits for allocation in its pool and for a free host.',
    next: ['running', 'terminated'],
    actions: ['update', 'terminate', 'replace'],
  },
  running: {
    meaning: 'Placed on a host that has reported it. The image may still be downloading or booting.',
    next: ['failed', 'terminated'],
    actions: ['update', 'terminate', 'replace'],
  },
  failed: {
    meaning: 'Its machine was lost or did not start. It still uses allocation and does not recover by itself.',
    next: ['terminated'],
    actions: ['update', 'terminate', 'replace'],
  },
  terminated: {
    meaning: 'Ended. Its record and its name are kept for seven days, or until the record is deleted.',
    next: [],
    actions: ['delete'],
  },
} as const satisfies Record<InstanceState, InstanceStateMeaning>

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
