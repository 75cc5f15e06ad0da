/** What the palette offers and in what order. Pure. */

import type { PageAddress } from '../ui/address.ts'

/** Something to go to. */
export type PaletteChoice = {
  readonly kind: string
  readonly title: string
  readonly to: PageAddress
  readonly params?: { readonly id: string }
  readonly search?: Readonly<Record<string, string>>
  /** Further texts that it is found by: its id. */
  readonly words?: string
}

/** What one can begin from anywhere. */
export const actions: readonly PaletteChoice[] = [
  { kind: 'action', title: 'Buy node-hours', to: '/ticket', search: { side: 'buy' } },
  { kind: 'action', title: 'Sell node-hours', to: '/ticket', search: { side: 'sell' } },
  { kind: 'action', title: 'Create an instance', to: '/instances', search: { create: '1' } },
  { kind: 'action', title: 'Create a deployment', to: '/deployments', search: { create: '1' } },
  { kind: 'action', title: 'Upload an image', to: '/images', search: { create: '1' } },
  { kind: 'action', title: 'Create a token', to: '/access', search: { tab: 'tokens', create: '1' } },
  { kind: 'action', title: 'Create a webhook', to: '/webhooks', search: { create: '1' } },
]

const shownMax = 12

/** The choices whose title or id has the letters of the text in order: whole words first, then beginnings. */
export function matching(choices: readonly PaletteChoice[], text: string): readonly PaletteChoice[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return choices.slice(0, shownMax)
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
  if (name.includes(wanted) || words.toLowerCase().includes(wanted)) return 2
  return hasInOrder(name, wanted) ? 1 : 0
}

function hasInOrder(name: string, wanted: string): boolean {
  let at = 0
  for (const letter of name) if (letter === wanted[at]) at += 1
  return at === wanted.length
}
