/** Each list: its first page, and a refused request with both cursors. */
import type { OperationName } from '@bourse/api/contract.ts'
import { lists } from '../../operations/readers.ts'
import { done, type Item, type ItemCall, type Pass, refusal } from '../item.ts'
import { newInstance, orderBody } from '../parts.ts'

type CoveredList = (typeof lists)[number]

const listsEach = 4

/** The call of a list, with the resource of a nested list. */
async function callOf(pass: Pass, { name, path }: CoveredList): Promise<ItemCall> {
  const by = path.includes('/admin/') ? { by: pass.platform } : {}
  if (name === 'list_usage' || name === 'list_platform_usage') return { ...by, query: 'from=0&to=86400' }
  if (path.includes(':account')) return { ...by, params: { account: pass.account.id } }
  if (!path.includes(':id')) return by
  if (name === 'list_instance_logs') return { id: await newInstance(pass) }
  if (name === 'list_webhook_deliveries') {
    return { id: (await pass.ok('create_webhook', { body: { url: 'https://receiver.example/hook' } })).id }
  }
  const { id } = await pass.ok('create_order', { body: orderBody(pass, { side: 'buy', price: '0.010000' }) })
  return { id }
}

/** A cursor with the prefix of the list. */
function cursorOf({ query }: CoveredList): string {
  const { pattern = '' } = (query.properties as { starting_after?: { pattern?: string } }).starting_after ?? {}
  return `${/^\^([a-z]+)_/.exec(pattern)?.[1]}_AAAA`
}

function itemOf(some: readonly CoveredList[]): Item {
  const names = some.map(({ name }) => name as OperationName)
  return {
    name: `${names[0]?.replaceAll('_', '-')}-and-others`,
    covers: names.flatMap((name) => [done(name), refusal(name, 'mutually_exclusive')]),
    work: async (pass) => {
      for (const list of some) {
        const op = list.name as OperationName
        const call = await callOf(pass, list)
        await pass.ok(op, call)
        const cursor = cursorOf(list)
        const own = call.query === undefined ? '' : `${call.query}&`
        const query = `${own}starting_after=${cursor}&ending_before=${cursor}`
        await pass.refuse(op, 'mutually_exclusive', { ...call, query })
      }
    },
  }
}

const groups = Array.from({ length: Math.ceil(lists.length / listsEach) }, (_, n) =>
  lists.slice(n * listsEach, (n + 1) * listsEach),
)

export const listItems: readonly Item[] = groups.map(itemOf)
