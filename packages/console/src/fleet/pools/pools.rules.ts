/** Pools in words: what one owns, and a transfer between two of them as it is sent. Pure, but for the time zone. */
import type { CreatePoolTransferBody, Pool } from '@bourse/sdk'
import { type InputProblem, isInputProblem } from '@bourse/text/grammar/input-problem.ts'
import { readWindowText } from '@bourse/text/grammar/windows.ts'
import { localZone } from '@bourse/text/time/local-zone.ts'
import { stepsOf } from '../../live/steps.rules.ts'
import { momentText } from '../../ui/values.rules.ts'
import { freeNodes } from '../capacity.rules.ts'

type OwningPool = { readonly id: string; readonly allocation_schedule: Pick<Pool['allocation_schedule'], 'by_sku'> }
type PoolReader = { readonly now: number; readonly skuName: (id: string) => string }

/** What a pool owns now and until when, or from when on it owns something: `2 × h100-west until Nov 28, 16:00`. */
export function ownedText(pool: OwningPool, { now, skuName }: PoolReader): string {
  const owned = freeNodes([pool], [], now).map(({ sku, owned: count, until }) => {
    return `${count} × ${skuName(sku)}${until === undefined ? '' : ` until ${momentText(until)}`}`
  })
  if (owned.length > 0) return owned.join(', ')
  const coming = Object.entries(pool.allocation_schedule.by_sku).flatMap(([sku, schedule]) => {
    const step = stepsOf(schedule).find(([at, nodes]) => at > now && nodes > 0)
    return step ? [{ sku, at: step[0], nodes: step[1] }] : []
  })
  const [next] = coming.toSorted((one, other) => one.at - other.at)
  return next ? `${next.nodes} × ${skuName(next.sku)} from ${momentText(next.at)}` : ''
}

/** What is typed besides the names of pools and SKU. */
export type TransferTexts = { readonly nodes?: string; readonly window?: string }
type Delta = CreatePoolTransferBody['allocation_schedule_delta']

/** The nodes to move as they are sent, or what is wrong with a field. */
export function readTransfer(
  { nodes = '', window = '' }: TransferTexts,
  now: number,
): { readonly delta: Delta } | { readonly wrong: Readonly<Record<string, string>> } {
  const count = /^\d{1,6}$/.test(nodes.trim()) ? Number(nodes) : 0
  const wrong = count > 0 ? {} : { nodes: 'A whole number of nodes, such as 2.' }
  try {
    const { start_at, end_at } = readWindowText(window, { now, zone: localZone() })
    return count > 0 ? { delta: [{ start_at, end_at, node_count: count }] } : { wrong }
  } catch (error) {
    if (!isInputProblem(error)) throw error
    return { wrong: { ...wrong, window: problemText(error) } }
  }
}

function problemText({ message, remedy }: InputProblem): string {
  return remedy === undefined ? message : `${message} ${remedy}`
}
