// Random command streams for order books. Each stream first draws its parameters (number of accounts, price range,
// share of all-or-nothing orders …), so that the streams together reach cases that one fixed mix would not.

import { pick, type Random } from '../../src/core/base/random.ts'
import type { Side } from '../../src/market/book/resting-order.rules.ts'

/** One command. Times are relative to the current minute and orders have names, so any part of a stream is valid. */
export type BookCommand =
  | {
      readonly kind: 'place'
      readonly id: string
      readonly account: string
      readonly side: Side
      readonly price: number
      readonly in_minutes: number
      readonly minutes: number
      readonly nodes: number
      readonly standing: boolean
      readonly partial: boolean
    }
  | { readonly kind: 'cancel'; readonly id: string }
  | {
      /** `id` continues `amends`. What is left out stays. Of a part of the minutes another part was filled before. */
      readonly kind: 'amend'
      readonly id: string
      readonly amends: string
      readonly price: number | undefined
      readonly nodes: number
      readonly minutes: number | undefined
      readonly partial: boolean | undefined
    }
  | { readonly kind: 'pass'; readonly minutes: number }
  | { readonly kind: 'reload' }
  | { readonly kind: 'halt' }
  | { readonly kind: 'resume' }

export type BookStream = { readonly start_minute: number; readonly commands: readonly BookCommand[] }

/** The parameters of a stream. Shares are percentages. */
type Habits = {
  accounts: number
  prices: number
  nodes: number
  horizon: number
  /** The edges of windows are multiples of this, so that windows touch, nest and coincide. */
  grain: number
  length: number
  whole: number
  immediate: number
  cancel: number
  amend: number
  pass: number
}

/** Starts just before an edge of the coarse cells of the book's index, and one other. */
const startMinutes = [0, 60, 509, 4_090, 32_760, 262_140, 30_000_000]

/** Creates a stream of `length` commands for one new book. */
export function randomStream(random: Random, length: number): BookStream {
  const habits = randomHabits(random)
  const commands: BookCommand[] = []
  for (let index = 0; index < length; index += 1) commands.push(randomCommand(random, habits, commands))
  return { start_minute: pick(random, startMinutes), commands }
}

function randomHabits(random: Random): Habits {
  const isLong = random.integer(100) < 4
  return {
    accounts: 1 + random.integer(6),
    prices: pick(random, [1, 2, 4, 8, 30]),
    nodes: pick(random, [1, 2, 4, 9]),
    horizon: isLong ? 120 : pick(random, [1, 3, 8, 16]),
    grain: isLong ? pick(random, [7, 30]) : pick(random, [1, 1, 2, 4]),
    length: isLong ? 200 : pick(random, [1, 2, 6, 14]),
    whole: pick(random, [0, 15, 40, 70, 90]),
    immediate: pick(random, [0, 0, 20, 50]),
    cancel: pick(random, [5, 15, 35]),
    amend: pick(random, [0, 10, 30]),
    pass: pick(random, [0, 4, 12]),
  }
}

function randomCommand(random: Random, habits: Habits, before: readonly BookCommand[]): BookCommand {
  const drawn = random.integer(100)
  if (before.length > 0 && drawn < habits.cancel) {
    const named = before[before.length - 1 - random.integer(Math.min(before.length, 40))] as BookCommand
    if (named.kind === 'place' || named.kind === 'amend') return { kind: 'cancel', id: named.id }
  }
  if (before.length > 0 && drawn < habits.cancel + habits.amend) {
    const named = before[before.length - 1 - random.integer(Math.min(before.length, 40))] as BookCommand
    if (named.kind === 'place' || named.kind === 'amend')
      return randomAmend(random, habits, named.id, `o${before.length}`)
  }
  if (drawn >= 100 - habits.pass) return { kind: 'pass', minutes: 1 + random.integer(Math.min(6, habits.length)) }
  const rare = random.integer(200)
  if (rare === 0) return { kind: 'reload' }
  if (rare === 1) return { kind: 'halt' }
  if (rare <= 12) return { kind: 'resume' }
  return randomPlace(random, habits, `o${before.length}`)
}

function randomAmend(random: Random, habits: Habits, amends: string, id: string): BookCommand {
  const maybe = <T>(value: T) => (random.integer(3) === 0 ? value : undefined)
  return {
    kind: 'amend',
    id,
    amends,
    price: maybe(1 + random.integer(habits.prices)),
    nodes: 1 + random.integer(habits.nodes),
    minutes: maybe(Math.ceil((1 + random.integer(habits.length)) / habits.grain) * habits.grain),
    partial: maybe(random.integer(100) >= habits.whole),
  }
}

function randomPlace(random: Random, habits: Habits, id: string): BookCommand {
  const { grain } = habits
  const ceil = (minutes: number) => Math.ceil(minutes / grain) * grain
  return {
    kind: 'place',
    id,
    account: `a${random.integer(habits.accounts)}`,
    side: pick(random, ['buy', 'sell'] as const),
    price: 1 + random.integer(habits.prices),
    in_minutes: ceil(random.integer(habits.horizon)),
    minutes: ceil(1 + random.integer(habits.length)),
    nodes: 1 + random.integer(habits.nodes),
    standing: random.integer(100) >= habits.immediate,
    partial: random.integer(100) >= habits.whole,
  }
}
