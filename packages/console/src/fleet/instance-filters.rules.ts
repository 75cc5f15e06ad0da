/** What is sent for the filters of the list of instances. Pure. */

/** The query of the list's filter by tag: a key, or a key with its value. */
export function tagFilter(typed: string): { tag?: string; tag_key?: string } {
  const text = typed.trim()
  if (text === '') return {}
  return /^[^=]+=./.test(text) ? { tag: text } : { tag_key: text.replace(/=$/, '') }
}

/** What is typed as the list's filter by name: a part of the name, unless asterisks say which part. */
export function nameFilter(typed: string): { name?: string } {
  if (typed === '') return {}
  return { name: typed.includes('*') ? typed : `*${typed}*` }
}

/** States that instances are in before their end. */
export const liveStates = ['awaiting_allocation', 'running', 'failed'] as const

/** Whether an instance has a node, or gets the next one: others cost nothing. */
export function hasNode(state: string): boolean {
  return state === 'running' || state === 'failed'
}

/** The choices of the list's filter by state: what is alive, all of it, or one state. */
export const stateChoices: Readonly<Record<string, string>> = {
  live: 'Live',
  all: 'All',
  awaiting_allocation: 'Awaiting allocation',
  running: 'Running',
  failed: 'Failed',
  terminated: 'Terminated',
}

/** The query of a choice of state. */
export function stateFilter(chosen: string): { state?: readonly string[] } {
  if (chosen === 'all' || chosen === '') return {}
  return { state: chosen === 'live' ? liveStates : [chosen] }
}
