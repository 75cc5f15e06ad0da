/** The state of a host that its owner sets. */
export type HostState = 'active' | 'cordoned' | 'draining' | 'drained' | 'retired'
/** The health of a host: `unreachable` after 90 s without a report, `faulted` when its agent reports so. */
export type HostHealth = 'healthy' | 'unreachable' | 'faulted'
/** The actions that depend on the state of a host. Reading and renaming are allowed in every state. */
export type HostAction = 'cordon' | 'uncordon' | 'drain' | 'retire'

type HostStateMeaning = {
  readonly meaning: string
  readonly next: readonly HostState[]
  readonly actions: readonly HostAction[]
}

/**
 * The states of a host: which may follow which, and which actions each allows. `retired` is final. A host that is
 * unreachable can be retired by force in every other state.
 */
export const hostStates = {
  active: {
    meaning: 'Accepts instances.',
    next: ['cordoned', 'draining', 'retired'],
    actions: ['cordon', 'drain'],
  },
  cordoned: {
    meaning: 'Accepts no new instances. Its supply continues.',
    next: ['active', 'draining', 'retired'],
    actions: ['uncordon', 'drain'],
  },
  draining: {
    meaning: 'Accepts no new instances. Its supply and its instances end at the deadline; the instances get notice.',
    next: ['drained', 'active', 'retired'],
    actions: ['uncordon'],
  },
  drained: {
    meaning: 'Has no instances, and its supply has ended.',
    next: ['active', 'retired'],
    actions: ['uncordon', 'retire'],
  },
  retired: {
    meaning: 'Removed permanently. Its key is no longer accepted.',
    next: [],
    actions: [],
  },
} as const satisfies Record<HostState, HostStateMeaning>

/** Whether a host may go from one state to another. */
export function mayHostBecome(from: HostState, to: HostState): boolean {
  const next: readonly HostState[] = hostStates[from].next
  return next.includes(to)
}

/** Whether an action is allowed on a host in this state. */
export function isHostActionAllowed(action: HostAction, state: HostState): boolean {
  const actions: readonly HostAction[] = hostStates[state].actions
  return actions.includes(action)
}
