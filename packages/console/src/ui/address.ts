/** The state of a page that is part of its address: filters, sort, tab, what is open. */
import { type RegisteredRouter, useNavigate, useSearch } from '@tanstack/react-router'

/** The address of a page, with $id where the id of a resource stands. */
export type PageAddress = keyof RegisteredRouter['routesByPath']

/** What an address holds after `?`: texts by their names, also those that people type. */
export type AddressValues = Readonly<Record<string, string | undefined>>

/**
 * The values of the address, with defaults for those that are missing. Setting a value to its default or to an empty
 * text removes it. With `push`, Back returns to the state before.
 */
export function useAddress<T extends Readonly<Record<string, string>>>(
  defaults: T,
): [T, (change: Partial<T>, options?: { push?: boolean }) => void] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const names = Object.keys(defaults)
  const state = Object.fromEntries(names.map((name) => [name, search[name] ?? defaults[name]])) as T
  const change = (next: Partial<T>, { push = false } = {}) => {
    const merged: Record<string, string | undefined> = { ...search, ...next }
    for (const name of names) if (merged[name] === defaults[name]) delete merged[name]
    // The page stays where it is: what is changed has to stay in view.
    void navigate({ to: '.', search: merged, replace: !push, resetScroll: false })
  }
  return [state, change]
}

/** Whether a list shows only some of its rows. */
export function isFiltered(filters: Readonly<Record<string, string>>): boolean {
  return Object.values(filters).some((value) => value !== '')
}
