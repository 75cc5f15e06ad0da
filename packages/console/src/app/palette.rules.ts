/** What the palette offers and in what order. Pure. */

import type { PageAddress } from '../ui/address.ts'

/** Something to go to. */
export type PaletteChoice = {
  readonly kind: string
  readonly title: string
  readonly to: PageAddress
  readonly params?: { readonly id: string }
  readonly search?: Readonly<Record<string, string>>
  /** Further words that it is found by: its id, and what else people call it. */
  readonly words?: string
  /** What it does in place of going somewhere. */
  readonly does?: PaletteTask
}

/** What the palette does by itself. */
export type PaletteTask = 'light' | 'dark' | 'system' | 'requests' | 'keys'

/** What one can begin from anywhere. */
export const actions: readonly PaletteChoice[] = [
  { kind: 'action', title: 'Buy node-hours', to: '/ticket', search: { side: 'buy' } },
  { kind: 'action', title: 'Sell node-hours', to: '/ticket', search: { side: 'sell' } },
  { kind: 'action', title: 'Create an instance', to: '/instances', search: { create: '1' } },
  { kind: 'action', title: 'Create a deployment', to: '/deployments', search: { create: '1' } },
  { kind: 'action', title: 'Create a template', to: '/templates', search: { create: '1' } },
  { kind: 'action', title: 'Create a pool', to: '/pools', search: { create: '1' } },
  { kind: 'action', title: 'Move nodes', to: '/pools', search: { tab: 'transfers', create: '1' }, words: 'transfer' },
  { kind: 'action', title: 'Create a workspace', to: '/account', search: { create: '1' } },
  { kind: 'action', title: 'Add an SSH key', to: '/access', search: { tab: 'ssh-keys', create: '1' } },
  { kind: 'action', title: 'Upload an image', to: '/images', search: { create: '1' } },
  { kind: 'action', title: 'Create a token', to: '/access', search: { tab: 'tokens', create: '1' } },
  { kind: 'action', title: 'Create a webhook', to: '/webhooks', search: { create: '1' } },
  { kind: 'action', title: 'Terminate instances', to: '/instances', words: 'stop end kill delete shut down' },
  { kind: 'action', title: 'Extend or sell what I own', to: '/calendar', words: 'renew keep longer prolong' },
  { kind: 'action', title: 'Cancel orders', to: '/orders', words: 'stop withdraw amend' },
  { kind: 'action', title: 'Set a budget', to: '/money', search: { tab: 'budgets' }, words: 'limit cap spending' },
  { kind: 'theme', title: 'Dark theme', to: '/', does: 'dark', words: 'night black colours' },
  { kind: 'theme', title: 'Light theme', to: '/', does: 'light', words: 'day white colours' },
  { kind: 'theme', title: 'Theme of the system', to: '/', does: 'system', words: 'dark light automatic' },
  { kind: 'help', title: 'Requests of this page', to: '/', does: 'requests', words: 'api curl log network' },
  { kind: 'help', title: 'Keys', to: '/', does: 'keys', words: 'shortcuts keyboard help' },
]

/** What else people call the pages. */
export const pageWords: Partial<Readonly<Record<PageAddress, string>>> = {
  '/': 'home overview market prices book depth sku attention',
  '/ticket': 'order buy sell trade',
  '/orders': 'trades fills',
  '/calendar': 'windows schedule capacity',
  '/pools': 'capacity allocation transfers move rename',
  '/templates': 'settings cloud-init user data launch',
  '/account': 'limits quota workspaces trust settings',
  '/instances': 'machines servers nodes vm',
  '/images': 'disks upload',
  '/network': 'firewalls subnets partitions infiniband',
  '/events': 'log activity',
  '/money': 'billing invoices statement balance budgets usage spend cost ledger payment',
  '/access': 'people users roles tokens api ssh keys sessions passkeys rights audit permissions team',
}

/** What a person chose last comes first, so many. */
const recentMax = 5
const shownMax = 12

/** What was chosen, before what was chosen earlier. */
export function withRecent(recent: readonly PaletteChoice[], choice: PaletteChoice): readonly PaletteChoice[] {
  return [choice, ...recent.filter((one) => choiceKey(one) !== choiceKey(choice))].slice(0, recentMax)
}

/** What is offered before anything is typed: what was chosen last, then all else. */
export function untyped(recent: readonly PaletteChoice[], all: readonly PaletteChoice[]): readonly PaletteChoice[] {
  const known = new Set(recent.map(choiceKey))
  return [...recent, ...all.filter((one) => !known.has(choiceKey(one)))]
}

/** What tells choices apart. */
export function choiceKey({ kind, to, title, params, search }: PaletteChoice): string {
  return [kind, to, title, params?.id ?? search?.open].join(' ')
}

/** The choices whose title or id has the letters of the text in order: whole words first, then beginnings. */
export function matching(choices: readonly PaletteChoice[], text: string): readonly PaletteChoice[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return choices
  return choices
    .map((choice) => ({ choice, score: scoreOf(choice, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, shownMax)
    .map(({ choice }) => choice)
}

/** How well a choice matches; zero where it does not. */
function scoreOf({ title, words = '' }: PaletteChoice, wanted: string): number {
  const name = title.toLowerCase()
  if (name === wanted || words.toLowerCase() === wanted) return 5
  if (name.startsWith(wanted)) return 4
  if (name.split(/[\s-]+/).some((word) => word.startsWith(wanted))) return 3
  const texts = `${name} ${words.toLowerCase()}`
  if (texts.includes(wanted)) return 2
  const parts = texts.split(/[\s-]+/)
  if (wanted.split(/\s+/).every((word) => parts.some((part) => part.startsWith(word)))) return 2
  return hasInOrder(name, wanted) ? 1 : 0
}

function hasInOrder(name: string, wanted: string): boolean {
  let at = 0
  for (const letter of name) if (letter === wanted[at]) at += 1
  return at === wanted.length
}
