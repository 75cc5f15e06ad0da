/** Lists after one of their rows has changed, where the row alone says whether it still belongs to them. Pure. */

/** The filters of a list, as they are sent. */
type SentFilters = Readonly<Record<string, unknown>>
type ChangedRow = { readonly id?: string; readonly state?: string }

/** Whether the new state of a row decides alone: the list has no filter but of states. */
export function isOfStates(filters: SentFilters): boolean {
  return Object.keys(filters).every((name) => name === 'state')
}

/** The rows with the new state of one of them; without it where the list does not show that state. */
export function withChanged<T extends ChangedRow>(rows: readonly T[], changed: T, { state }: SentFilters): T[] {
  const states: readonly unknown[] = [state].flat()
  const isShown = state === undefined || states.includes(changed.state)
  return rows.flatMap((row) => (row.id !== changed.id ? [row] : isShown ? [changed] : []))
}
