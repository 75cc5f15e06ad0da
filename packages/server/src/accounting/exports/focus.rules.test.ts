import assert from 'node:assert/strict'
import { focusDatasets, focusVersions } from '@bourse/api/billing/exports.ts'
import { test } from 'vitest'
import {
  type Charge,
  type ChargedPlace,
  chargeRow,
  columnsOf,
  commitmentRow,
  isSpot,
  periodRow,
  printHours,
  printTime,
  usageRow,
} from './focus.rules.ts'

const second = (text: string) => Date.parse(text) / 1000
const payer = { id: 'acct_1', name: 'Example' }
const created_at = second('2026-12-31T10:20:30Z')

function placeOf(changes: Partial<ChargedPlace> = {}): ChargedPlace {
  return {
    pool_id: 'pool_1',
    pool_name: 'training',
    tags: { team: 'a' },
    workspace_id: 'wksp_1',
    workspace_name: 'research',
    sku_id: 'sku_1',
    region: { id: 'eu', name: 'Europe' },
    zone: 'eu-1',
    supplier: 'acct_s',
    made: new Map(),
    ...changes,
  }
}

const ofPayer = {
  BillingAccountId: 'acct_1',
  BillingAccountName: 'Example',
  BillingCurrency: 'USD',
  BillingPeriodStart: '2026-12-01T00:00:00Z',
  BillingPeriodEnd: '2027-01-01T00:00:00Z',
  ServiceCategory: 'Compute',
  ServiceName: 'Compute capacity',
  ServiceProviderName: 'Bourse',
  ProviderName: 'Bourse',
  InvoiceIssuerName: 'Bourse',
}
const ofPlace = {
  ...ofPayer,
  SubAccountId: 'wksp_1',
  SubAccountName: 'research',
  HostProviderName: 'acct_s',
  PublisherName: 'acct_s',
  RegionId: 'eu',
  RegionName: 'Europe',
  AvailabilityZone: 'eu-1',
  Tags: '{"team":"a"}',
  ResourceId: 'pool_1',
  ResourceName: 'training',
  ResourceType: 'Pool',
  SkuId: 'sku_1',
}
const commitment = {
  CommitmentDiscountId: 'fill_1',
  CommitmentDiscountCategory: 'Usage',
  CommitmentDiscountType: 'Capacity window',
}
const ofPrice = {
  PricingCategory: 'Committed',
  PricingQuantity: '1.500000',
  PricingUnit: 'Node-Hours',
  ListUnitPrice: '2.000000',
  ContractedUnitPrice: '2.000000',
  SkuPriceId: 'sku_1:2.000000',
}
const fill = { id: 'fill_1', node_minutes: 90, end_minute: created_at / 60 + 89.5, price: '2.000000', is_spot: false }
const purchase: Charge = { type: 'buy_fill', created_at, amount_micros: -3_000_000n, description: null, fill }

test('a purchase has its cost when it is billed, its period, and the price of its capacity', () => {
  assert.deepEqual(chargeRow(payer, placeOf(), purchase), {
    ...ofPlace,
    ...commitment,
    ...ofPrice,
    CapacityReservationId: 'pool_1',
    ChargePeriodStart: '2026-12-31T10:20:30Z',
    ChargePeriodEnd: '2026-12-31T11:50:00Z',
    ChargeCategory: 'Purchase',
    ChargeClass: null,
    ChargeDescription: 'Purchase of node-hours',
    ChargeFrequency: 'One-Time',
    BilledCost: '3.000000',
    EffectiveCost: '0.000000',
    ListCost: '3.000000',
    ContractedCost: '3.000000',
  })
  const spot = chargeRow(payer, placeOf(), { ...purchase, fill: { ...fill, is_spot: true } })
  assert.equal(spot.PricingCategory, 'Dynamic')
  for (const row of [
    chargeRow(payer, null, purchase),
    chargeRow(payer, placeOf(), { ...purchase, fill: null }),
    chargeRow(payer, placeOf(), { ...purchase, type: 'sell_fill' }),
  ]) {
    assert.equal(row.SkuPriceId, undefined)
  }
})

test('a sale and a posting are credits, an adjustment is a correction, and each has its cost at once', () => {
  const cost = { BilledCost: '-3.000000', EffectiveCost: '-3.000000', ListCost: '-3.000000' }
  const instant = { ChargePeriodStart: '2026-12-31T10:20:30Z', ChargePeriodEnd: '2026-12-31T10:20:31Z' }
  const credit = { ...purchase, type: 'refund', amount_micros: 3_000_000n, fill: null }
  assert.deepEqual(chargeRow(payer, null, credit), {
    ...ofPayer,
    SubAccountId: null,
    SubAccountName: null,
    HostProviderName: 'Bourse',
    PublisherName: 'Bourse',
    ...instant,
    ChargeCategory: 'Credit',
    ChargeClass: null,
    ChargeDescription: 'refund',
    ChargeFrequency: 'One-Time',
    ...cost,
    ContractedCost: '-3.000000',
  })
  const shown = (changes: Partial<Charge>) => {
    const row = chargeRow(payer, null, { ...credit, ...changes })
    return [row.ChargeCategory, row.ChargeClass, row.ChargeDescription]
  }
  assert.deepEqual(shown({ type: 'sell_fill' }), ['Credit', null, 'Sale of node-hours'])
  assert.deepEqual(shown({ type: 'adjustment', description: 'late' }), ['Adjustment', 'Correction', 'late'])
})

test('usage has its day, the cost of it, and whether instances used it', () => {
  const use = { day: second('2026-12-31T00:00:00Z'), node_minutes: 90, cost_micros: 7n, fill_id: 'fill_1' }
  const ofUse = { ...use, is_used: true, price: '2.000000', is_spot: false }
  const used = usageRow(payer, placeOf(), ofUse)
  assert.deepEqual(used, {
    ...ofPlace,
    ...commitment,
    ...ofPrice,
    CapacityReservationId: 'pool_1',
    ChargePeriodStart: '2026-12-31T00:00:00Z',
    ChargePeriodEnd: '2027-01-01T00:00:00Z',
    ChargeCategory: 'Usage',
    ChargeDescription: 'Node-hours that instances used',
    ChargeFrequency: 'Usage-Based',
    BilledCost: '0.000000',
    EffectiveCost: '0.000007',
    ListCost: '0.000007',
    ContractedCost: '0.000007',
    ConsumedQuantity: '1.500000',
    ConsumedUnit: 'Node-Hours',
    CapacityReservationStatus: 'Used',
    CommitmentDiscountStatus: 'Used',
  })
  assert.deepEqual(usageRow(payer, placeOf(), { ...ofUse, is_used: false }), {
    ...used,
    ChargeDescription: 'Node-hours that no instance used',
    ConsumedQuantity: null,
    ConsumedUnit: null,
    CapacityReservationStatus: 'Unused',
    CommitmentDiscountStatus: 'Unused',
  })
})

test('a place without a region or tags has none in its rows', () => {
  const row = chargeRow(payer, placeOf({ region: null, zone: null, tags: null, pool_name: null }), purchase)
  const { RegionId, RegionName, AvailabilityZone, Tags, ResourceName } = row
  assert.deepEqual([RegionId, RegionName, AvailabilityZone, Tags, ResourceName], [null, null, null, null, null])
})

test('the rows of a place share what a day has in common, and no other day has it', () => {
  const place = placeOf()
  const periodOf = (time: string) => {
    const charge = { ...purchase, created_at: second(time) }
    return chargeRow(payer, place, charge).BillingPeriodStart
  }
  assert.equal(periodOf('2026-12-31T00:00:00Z'), '2026-12-01T00:00:00Z')
  const [made] = place.made.values()
  assert.equal(periodOf('2026-12-31T23:59:59Z'), '2026-12-01T00:00:00Z')
  assert.deepEqual([...place.made.values()], [made])
  assert.equal(place.made.get(second('2026-12-31T00:00:00Z') / 86_400), made)
  assert.equal(periodOf('2027-01-01T00:00:00Z'), '2027-01-01T00:00:00Z')
  assert.equal(place.made.size, 2)
})

test('a commitment is what a held window costs from now on, and a billing period closes after 48 hours', () => {
  const [start, end] = [second('2026-12-01T00:00:00Z'), second('2027-01-01T00:00:00Z')]
  const held = { fill_id: 'fill_1', start, end, node_minutes: 60, cost_micros: 5_000_000n, place: placeOf() }
  assert.deepEqual(commitmentRow(held), {
    BillingCurrency: 'USD',
    ContractCommitmentCategory: 'Usage',
    ContractCommitmentCost: '5.000000',
    ContractCommitmentDescription: 'Capacity window',
    ContractCommitmentId: 'fill_1',
    ContractCommitmentPeriodStart: '2026-12-01T00:00:00Z',
    ContractCommitmentPeriodEnd: '2027-01-01T00:00:00Z',
    ContractCommitmentQuantity: '1.000000',
    ContractCommitmentType: 'Capacity window',
    ContractCommitmentUnit: 'Node-Hours',
    ContractId: 'pool_1',
  })
  const period = {
    BillingPeriodStart: '2026-12-01T00:00:00Z',
    BillingPeriodEnd: '2027-01-01T00:00:00Z',
    InvoiceIssuerName: 'Bourse',
  }
  const closing = second('2027-01-03T00:00:00Z')
  assert.deepEqual(periodRow(start, end, closing - 1), { ...period, BillingPeriodStatus: 'Open' })
  assert.deepEqual(periodRow(start, end, closing), { ...period, BillingPeriodStatus: 'Closed' })
})

test('each dataset and version has the columns that its rows use, with their types', () => {
  const rows = { ...chargeRow(payer, placeOf(), purchase), ConsumedQuantity: '', ConsumedUnit: '' }
  const made = new Set([...Object.keys(rows), 'CapacityReservationStatus', 'CommitmentDiscountStatus'])
  const held = { fill_id: 'fill_1', start: 0, end: 60, node_minutes: 1, cost_micros: 1n, place: placeOf() }
  const onlyOld = new Set(['ProviderName', 'PublisherName'])
  const onlyNew = new Set(['HostProviderName', 'ServiceProviderName'])
  const namesOf = (dataset: (typeof focusDatasets)[number], version: (typeof focusVersions)[number]) =>
    columnsOf(dataset, version).map(({ name }) => name)
  const charges = focusDatasets.find((dataset) => !['billing_periods', 'contract_commitments'].includes(dataset))
  assert.ok(charges)
  const sorted = (names: Iterable<string>) => [...names].toSorted()
  for (const version of focusVersions) {
    const names = namesOf(charges, version)
    const absent = version === '1.2' ? onlyNew : onlyOld
    assert.deepEqual(
      sorted(names),
      sorted(made).filter((name) => !absent.has(name)),
    )
    assert.deepEqual(names, sorted(names))
    assert.deepEqual(sorted(namesOf('contract_commitments', version)), sorted(Object.keys(commitmentRow(held))))
    assert.deepEqual(namesOf('billing_periods', version), [
      'BillingPeriodStart',
      'BillingPeriodEnd',
      'BillingPeriodStatus',
      'InvoiceIssuerName',
    ])
  }
  const types = focusDatasets.flatMap((dataset) => columnsOf(dataset, '1.4'))
  const ofType = (wanted: string) =>
    sorted(new Set(types.filter(({ type }) => type === wanted).map(({ name }) => name)))
  const decimal = /Cost$|Quantity$|UnitPrice$/
  assert.deepEqual(
    ofType('decimal'),
    sorted(new Set(types.map(({ name }) => name).filter((name) => decimal.test(name)))),
  )
  const time = /Period(Start|End)$/
  assert.deepEqual(ofType('time'), sorted(new Set(types.map(({ name }) => name).filter((name) => time.test(name)))))
  assert.ok(types.every(({ type }) => ['decimal', 'time', 'text'].includes(type)))
})

test('times have seconds, and hours are rounded half up to six decimals', () => {
  assert.equal(printTime(second('2026-02-03T04:05:06.700Z')), '2026-02-03T04:05:06Z')
  assert.deepEqual([0, 1, 2, 60, 90].map(printHours), ['0.000000', '0.016667', '0.033333', '1.000000', '1.500000'])
})

test('only what a deployment bought is spot', () => {
  assert.deepEqual(['depl_1', 'proc_depl_', null].map(isSpot), [true, false, false])
})
