import assert from 'node:assert/strict'
import { endpoints } from '@bourse/api/contract.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { test } from 'vitest'
import { readFilter, type ValueReaders } from './filters.ts'
import { typeAt, typeOf, type ValueType, valueAt } from './value-types.ts'

const now = 1_800_000_000
const readers: ValueReaders = {
  moment: async (text) => ({ now, '-2h': now - 7200 })[text],
  span: (text) => ({ '10m': 600, '1s': 1 })[text],
  size: (text) => ({ '64GiB': 64 * 2 ** 30 })[text],
  id: async (_, text) => (text === 'h100-west' ? 'sku_1' : text),
}

function rowsOf(name: string): ValueType {
  const endpoint = (endpoints as readonly Endpoint[]).find((one) => one.name === name)
  assert.ok(endpoint, name)
  const data = typeAt(typeOf(endpoint.response), 'data')
  assert.ok(data?.kind === 'list')
  return data.of
}

const order = {
  id: 'ordr_1',
  state: 'standing',
  allow_partial: true,
  limit_price_dollars_per_node_hour: '18.500000',
  filled_average_price_dollars_per_node_hour: null,
  sku: { object: 'sku', id: 'sku_1', alias: 'h100-west' },
  allocation_schedule_delta: [{ start_at: now, end_at: now + 3600, node_count: 2 }],
  fills: [],
  created_at: now - 3600,
  cancelled_at: null,
}

async function holds(list: string, filter: string, row: unknown): Promise<boolean> {
  return (await readFilter(filter, rowsOf(list), readers))(row)
}

test('values are compared by the type of their column', async () => {
  const cases: Readonly<Record<string, boolean>> = {
    'state=standing': true,
    'state!=standing': false,
    'state != filled': true,
    'allow_partial=true': true,
    'allow-partial=false': false,
    'limit_price_dollars_per_node_hour=18.5': true,
    'limit_price_dollars_per_node_hour<$18.50': false,
    'limit_price_dollars_per_node_hour<=18.50': true,
    'limit_price_dollars_per_node_hour>9': true,
    'created_at>-2h': true,
    'created_at<-2h': false,
    'created_at<now': true,
    'sku=h100-west': true,
    'sku=sku_1': true,
    'sku!=h100-west': false,
    'sku.alias~WEST': true,
    'sku~a100': false,
    'allocation_schedule_delta.node_count>=2': true,
    'cancelled_at=null': true,
    'cancelled_at!=null': false,
    'filled_average_price_dollars_per_node_hour>0': false,
    'filled_average_price_dollars_per_node_hour!=1': true,
  }
  for (const [filter, expected] of Object.entries(cases)) {
    assert.equal(await holds('list_orders', filter, order), expected, filter)
  }
})

test('what every object and text has besides its members is no value', () => {
  const tagged = { tags: { team: 'ml' }, data: [{ name: 'a' }] }
  const any: ValueType = { kind: 'any' }
  assert.equal(valueAt(tagged, 'tags.team', any), 'ml')
  for (const path of ['toString', 'tags.toString', 'tags.constructor.name', 'tags.team.length', 'tags.__proto__']) {
    assert.equal(valueAt(tagged, path, any), undefined, path)
    assert.equal(valueAt(tagged, path, { kind: 'map', of: any, keys: undefined }), undefined, path)
  }
  assert.deepEqual(valueAt(tagged, 'data.length', any), [undefined])
})

test('numbers take the units of their column', async () => {
  const host = { facts: { memory_bytes: 2 ** 37, accelerators: ['H100', 'H100'] }, slots: 8 }
  assert.ok(await holds('list_hosts', 'facts.memory_bytes>64GiB', host))
  assert.ok(await holds('list_hosts', 'facts.memory_bytes=137438953472', host))
  assert.ok(await holds('list_hosts', 'facts.accelerators~h100', host))
  assert.ok(!(await holds('list_hosts', 'facts.accelerators!=H100', host)))
  const sku = {
    memory_bytes: { value: 2 ** 37, display_value: '128 GiB' },
    accelerator: { value: 'h100', display_value: 'NVIDIA H100' },
  }
  assert.ok(await holds('list_skus', 'memory_bytes>=64GiB', sku))
  assert.ok(await holds('list_skus', 'accelerator~nvidia', sku))
  assert.ok(await holds('list_skus', 'accelerator=h100', sku))
  const procurement = { managed_window_minutes: 30, tags: { team: 'blue' } }
  assert.ok(await holds('list_procurements', 'managed_window_minutes>10m', procurement))
  const delivery = { attempts: [{ duration_ms: 1500 }] }
  assert.ok(await holds('list_webhook_deliveries', 'attempts.duration_ms>1s', delivery))
  const budget = { reached_percent: [80] }
  assert.ok(await holds('list_budgets', 'reached_percent>=80%', budget))
})

test('tags are columns, and an id can be typed as a name', async () => {
  assert.ok(await holds('list_pools', 'tags.team=blue', { tags: { team: 'blue' } }))
  assert.ok(await holds('list_pools', 'tags.a.b=c', { tags: { 'a.b': 'c' } }))
  assert.ok(!(await holds('list_pools', 'tags.team=blue', { tags: null })))
  assert.ok(await holds('list_orderbook_fills', 'sku=h100-west', { sku: 'sku_1' }))
  assert.ok(!(await holds('list_skus', 'id=h100-west', { id: 'sku_1' })))
})

test('unknown columns, values and operators are refused, with what was probably meant', async () => {
  const cases: [list: string, filter: string, message: RegExp, remedy: RegExp][] = [
    ['list_orders', 'stat=standing', /no column "stat"/, /Did you mean state\?/],
    ['list_orders', 'sku.alais=a', /no column "sku.alais"/, /Did you mean sku\.alias\?/],
    ['list_orders', 'state=standig', /"standig" is no value of state/, /Did you mean standing\?/],
    ['list_orders', 'side=up', /"up" is no value of side/, /Values: buy, sell/],
    ['list_orders', 'state>filled', /state has no order/, /Write --filter/],
    ['list_orders', 'created_at~12', /created_at is no text/, /Write --filter/],
    ['list_orders', 'created_at>soon', /"soon" cannot be compared with created_at/, /a time/],
    ['list_orders', 'limit_price_dollars_per_node_hour>cheap', /"cheap" cannot/, /an amount/],
    ['list_orders', 'allow_partial=yes', /"yes" cannot/, /true or false/],
    ['list_orders', 'cancelled_at>null', /no filter/, /= or !=/],
    ['list_hosts', 'facts.memory_bytes>big', /"big" cannot/, /a size/],
    ['list_hosts', 'slots>8GiB', /"8GiB" cannot/, /a number/],
    ['list_pools', 'tags=blue', /tags has several values/, /tags\.KEY=VALUE/],
    ['list_orders', 'standing', /"standing" is no filter/, /Write --filter/],
  ]
  for (const [list, filter, message, remedy] of cases) {
    await assert.rejects(readFilter(filter, rowsOf(list), readers), (error: Error & { remedy?: string }) => {
      assert.match(error.message, message, filter)
      assert.match(error.remedy ?? '', remedy, filter)
      return true
    })
  }
})

test('a word that a newer server may have is compared, one that is nearly a known word is refused', async () => {
  assert.ok(await holds('list_instances', 'state=hibernated', { state: 'hibernated' }))
  await assert.rejects(readFilter('state=runing', rowsOf('list_instances'), readers), /no value of state/)
})
