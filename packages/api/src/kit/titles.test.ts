import assert from 'node:assert/strict'
import { test } from 'vitest'
import { endpoints } from '../contract.ts'
import type { Endpoint } from './endpoint.ts'
import { titleOf } from './titles.ts'

test('a title is the words of the name without its unit, and some have one of their own', () => {
  const titles = {
    name: 'Name',
    created_at: 'Created',
    held_dollars: 'Held',
    fair_price_dollars_per_node_hour: 'Fair price',
    flat_fee_dollars_per_node_hour: 'Flat fee',
    infiniband_partition: 'InfiniBand partition',
    _preview_firewall: 'Firewall',
    sku: 'SKU',
    available_addresses: 'Free addresses',
    updated_at: 'Changed',
  }
  for (const [name, title] of Object.entries(titles)) assert.equal(titleOf(name), title, name)
})

test('each member of the contract has a title that reads as words', () => {
  const names = new Set(
    (endpoints as readonly Endpoint[]).flatMap(({ body, response }) => [
      ...Object.keys((body as { properties?: object } | undefined)?.properties ?? {}),
      ...Object.keys((response as { properties?: object } | undefined)?.properties ?? {}),
    ]),
  )
  for (const name of names) assert.match(titleOf(name), /^[A-Z][A-Za-z0-9 ,/-]*$/, name)
})
