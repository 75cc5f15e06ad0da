/** What a rollout of the agent says to the operator, and what can be done with it. Pure; the server decides. */
import type { AgentRollout } from '@bourse/sdk'
import { counted } from '@bourse/text/formats/amounts.ts'

type Group = AgentRollout['groups'][number]

/** What can be done with a rollout. Only the newest one can be taken up or back once it has completed. */
export function rolloutActions({ state }: Pick<AgentRollout, 'state'>, isNewest: boolean) {
  const isInProgress = state === 'running' || state === 'halted'
  const isOpen = isInProgress || (state === 'completed' && isNewest)
  return {
    halt: isOpen && state !== 'halted',
    resume: state === 'halted',
    cancel: isInProgress,
    roll_back: isOpen,
  }
}

/** How many hosts of all groups have a state. */
export function hostsIn(groups: readonly Group[], state: 'hosts' | 'updating' | 'updated' | 'failed' | 'skipped') {
  return groups.reduce((sum, group) => sum + group[state], 0)
}

/** How far a rollout is, in words. */
export function progressText({ groups }: Pick<AgentRollout, 'groups'>): string {
  const all = hostsIn(groups, 'hosts')
  return all === 0 ? 'no host' : `${hostsIn(groups, 'updated')} of ${counted(all, 'host')}`
}

const haltSentences: Readonly<Record<string, string>> = {
  operator: 'An operator halted it.',
  not_back: 'A host did not come back in time.',
  update_failed: 'The update of a host failed.',
  instance_lost: 'A host lost an instance.',
  new_problem: 'A host has a new problem since its update.',
}

/** Why a rollout is halted, in a sentence. */
export function haltSentence({ halt_reason }: Pick<AgentRollout, 'halt_reason'>): string {
  return haltSentences[halt_reason ?? ''] ?? 'It is halted.'
}

/** The host for which a rollout is halted, and what is wrong with it; undefined where no host is the cause. */
export function haltCause({
  halt_message,
}: Pick<AgentRollout, 'halt_message'>): { readonly host: string; readonly text: string } | undefined {
  const [, host, text] = /^(host_\w[\w-]*): (.*)$/s.exec(halt_message ?? '') ?? []
  return host === undefined || text === undefined ? undefined : { host, text }
}

const skipSentences: Readonly<Record<string, string>> = {
  silent: 'does not report',
  no_updater: 'has no updater, or its updater does not report',
  package: 'gets its agent from a package of the distribution',
  pinned: 'is pinned to its version',
  retired: 'is retired',
}

/** Why a host failed or is left out. */
export function hostReason({ state, reason }: Pick<AgentRollout['hosts'][number], 'state' | 'reason'>): string {
  if (reason === null) return ''
  return state === 'skipped' ? (skipSentences[reason] ?? reason) : reason
}
