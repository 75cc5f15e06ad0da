import assert from 'node:assert/strict'
import { test } from 'vitest'
import { endpoints } from './contract.ts'
import type { Endpoint } from './kit/endpoint.ts'

const operations: readonly Endpoint[] = endpoints
const words = 'delete|cancel|terminate|replace|revoke|retire|freeze|halt|drain|reset|load|rotate|end'
const ending = new RegExp(`^(${words})_(?!firewall_rules)`)

/** Whether an operation ends something, by its method or name. */
function ends({ method, name }: Endpoint): boolean {
  return method === 'DELETE' || (method !== 'GET' && ending.test(name))
}

/** Whether an operation can lead to orders, by its permissions. */
function orders({ method, access, also_access, conditional_access }: Endpoint): boolean {
  const needed = [access, ...also_access, ...conditional_access.map(({ permission }) => permission)]
  return method !== 'GET' && needed.includes('order:create')
}

test('every operation that ends or spends something is asked about, or has a reason why not', () => {
  for (const operation of operations) {
    const { name, consequence, unconfirmed } = operation
    const isDue = ends(operation) || orders(operation)
    assert.equal([consequence, unconfirmed].filter((said) => said !== undefined).length, isDue ? 1 : 0, name)
  }
})

test('an operation that can lead to orders spends, and every other one that is asked about destroys', () => {
  for (const operation of operations) {
    const { name, consequence } = operation
    if (consequence !== undefined) assert.equal(consequence, orders(operation) ? 'spends' : 'destroys', name)
  }
})
