/** What the owner of a host has decided about it. */
export type HostState = 'active' | 'cordoned' | 'draining' | 'drained' | 'retired'
/** Whether a host can be relied on: silent for 90 s = unreachable, faulted = it said so itself. */
export type HostHealth = 'healthy' | 'unreachable' | 'faulted'
/** What a caller may ask of one host by its state; reading and renaming are allowed in all of them. */
export type HostAction = 'cordon' | 'uncordon' | 'drain' | 'retire'

type StateMeaning = {
  readonly meaning: string
  readonly next: readonly HostState[]
  readonly actions: readonly HostAction[]
}

/** The states of a host: which may follow which, and which actions each allows. `retired` is final. */
export const hostStates = {
  active: {
    meaning: 'Takes instances.',
    next: ['cordoned', 'draining'],
    actions: ['cordon', 'drain'],
  },
  cordoned: {
    meaning: 'Takes no new instances; its supply goes on.',
    next: ['active', 'draining'],
    actions: ['uncordon', 'drain'],
  },
  draining: {
    meaning: 'Takes no new instances; its supply ends at the deadline, its instances end then, with notice.',
    next: ['drained', 'active'],
    actions: ['uncordon'],
  },
  drained: {
    meaning: 'Empty, and its supply has ended.',
    next: ['active', 'retired'],
    actions: ['uncordon', 'retire'],
  },
  retired: {
    meaning: 'Gone for good; its key is void.',
    next: [],
    actions: [],
  },
} as const satisfies Record<HostState, StateMeaning>

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
