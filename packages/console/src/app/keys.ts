/** The keys that work on every page. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { PageAddress } from '../ui/address.ts'

/** After `g`, the letter of a page. */
export const pageKeys: Readonly<Record<string, { to: PageAddress; title: string }>> = {
  h: { to: '/', title: 'Board' },
  m: { to: '/market', title: 'Market' },
  t: { to: '/ticket', title: 'Ticket' },
  o: { to: '/orders', title: 'Orders' },
  c: { to: '/calendar', title: 'Calendar' },
  i: { to: '/instances', title: 'Instances' },
  d: { to: '/deployments', title: 'Deployments' },
  e: { to: '/events', title: 'Events' },
  b: { to: '/money', title: 'Money' },
  a: { to: '/access', title: 'Access' },
}

/** After `c`, what is created: the first letter of its name, where that is free. */
export const createKeys: Readonly<
  Record<string, { to: PageAddress; search: Readonly<Record<string, string>>; title: string }>
> = {
  b: { to: '/ticket', search: { side: 'buy' }, title: 'An order that buys' },
  s: { to: '/ticket', search: { side: 'sell' }, title: 'An order that sells' },
  i: { to: '/instances', search: { create: '1' }, title: 'An instance' },
  d: { to: '/deployments', search: { create: '1' }, title: 'A deployment' },
  t: { to: '/access', search: { tab: 'tokens', create: '1' }, title: 'A token' },
  w: { to: '/webhooks', search: { create: '1' }, title: 'A webhook' },
}

/** Milliseconds within which the second key of a pair counts. */
const pairMilliseconds = 1_200

const pairs: Readonly<Record<string, Readonly<Record<string, KeyPlace>>>> = { g: pageKeys, c: createKeys }

type KeyPlace = { readonly to: PageAddress; readonly search?: Readonly<Record<string, string>> }
type Actions = { readonly palette: () => void; readonly keys: () => void }

/** Listens for as long as the frame is shown. Keys that are typed into a field belong to the field. */
export function useKeys({ palette, keys }: Actions): void {
  const navigate = useNavigate()
  const first = useRef({ key: '', at: Number.NEGATIVE_INFINITY })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return palette()
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
      if (event.key === '?') return keys()
      if (event.key === '/') return focusSearch(event)
      if (event.key === 'j' || event.key === 'k') return focusFirstRow(event)
      const isPair = event.timeStamp - first.current.at < pairMilliseconds
      const place = isPair ? pairs[first.current.key]?.[event.key] : undefined
      if (place) void navigate(place)
      first.current = place ? { key: '', at: Number.NEGATIVE_INFINITY } : { key: event.key, at: event.timeStamp }
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [navigate, palette, keys])
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]') !== null
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (!field) return
  event.preventDefault()
  field.focus()
}

/** The table itself walks from row to row once one of them has the focus. */
function focusFirstRow(event: KeyboardEvent): void {
  if (event.target instanceof HTMLElement && event.target.tagName === 'TR') return
  document.querySelector<HTMLElement>('main tbody tr[tabindex]')?.focus()
}
