/**
 * Rows of FOCUS exports (FinOps Open Cost and Usage Specification, versions 1.2 and 1.4): what each column of a charge
 * contains (docs/concepts/usage.md, "Exports").
 */

import type { focusDatasets, focusVersions } from '@bourse/api/billing/exports.ts'
import { printDollars } from '@bourse/text/money.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { closingSeconds } from '../statements/statements.rules.ts'
import type { Column, ExportRow } from './columns.rules.ts'

type FocusVersion = (typeof focusVersions)[number]
type FocusDataset = (typeof focusDatasets)[number]

/** The account of an export. */
export type Payer = { readonly id: string; readonly name: string }

/** What all charges of a pool and SKU have in common. */
export type ChargedPlace = {
  readonly pool_id: string
  readonly pool_name: string | null
  readonly tags: Readonly<Record<string, string>> | null
  readonly workspace_id: string
  readonly workspace_name: string
  readonly sku_id: string
  readonly region: { readonly id: string; readonly name: string } | null
  readonly zone: string | null
  /** The account whose hosts supply the SKU; the word Multiple where there are several. */
  readonly supplier: string
  /** What the rows of a day have in common, as far as an export has made it. */
  readonly made: Map<number, ExportRow>
}

/** A movement of money of the account. Times are seconds. */
export type Charge = {
  readonly type: string
  readonly created_at: number
  readonly amount_micros: bigint
  readonly description: string | null
  readonly fill: ChargedFill | null
}

type ChargedFill = {
  readonly id: string
  readonly node_minutes: number
  readonly end_minute: number
  /** Dollars per node-hour. */
  readonly price: string
  /** Whether a spot deployment bought it. */
  readonly is_spot: boolean
}

/** What a day of a purchase cost, in the nodes that instances used or in those that they did not. */
export type DayOfUse = {
  readonly day: number
  readonly node_minutes: number
  readonly cost_micros: bigint
  readonly is_used: boolean
  readonly fill_id: string
  readonly price: string
  readonly is_spot: boolean
}

/** The marketplace in columns of providers. */
export const marketplace = 'Bourse'
const unit = 'Node-Hours'

const decimals = new Set([
  'BilledCost',
  'ConsumedQuantity',
  'ContractedCost',
  'ContractedUnitPrice',
  'EffectiveCost',
  'ListCost',
  'ListUnitPrice',
  'PricingQuantity',
  'ContractCommitmentCost',
  'ContractCommitmentQuantity',
])
const charges = [
  'AvailabilityZone',
  'BilledCost',
  'BillingAccountId',
  'BillingAccountName',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'CapacityReservationId',
  'CapacityReservationStatus',
  'ChargeCategory',
  'ChargeClass',
  'ChargeDescription',
  'ChargeFrequency',
  'ChargePeriodEnd',
  'ChargePeriodStart',
  'CommitmentDiscountCategory',
  'CommitmentDiscountId',
  'CommitmentDiscountStatus',
  'CommitmentDiscountType',
  'ConsumedQuantity',
  'ConsumedUnit',
  'ContractedCost',
  'ContractedUnitPrice',
  'EffectiveCost',
]
const rest = ['InvoiceIssuerName', 'ListCost', 'ListUnitPrice', 'PricingCategory', 'PricingQuantity', 'PricingUnit']
const ending = [
  'RegionId',
  'RegionName',
  'ResourceId',
  'ResourceName',
  'ResourceType',
  'ServiceCategory',
  'ServiceName',
]
const last = ['SkuId', 'SkuPriceId', 'SubAccountId', 'SubAccountName', 'Tags']

/** The columns of a dataset in a version, in the order in which they are written. */
export function columnsOf(dataset: FocusDataset, version: FocusVersion): Column[] {
  return namesOf(dataset, version).map((name) => ({ name, type: typeOf(name) }))
}

function typeOf(name: string): Column['type'] {
  if (decimals.has(name)) return 'decimal'
  return /Period(Start|End)$/.test(name) ? 'time' : 'text'
}

function namesOf(dataset: FocusDataset, version: FocusVersion): string[] {
  if (dataset === 'billing_periods') {
    return ['BillingPeriodStart', 'BillingPeriodEnd', 'BillingPeriodStatus', 'InvoiceIssuerName']
  }
  if (dataset === 'contract_commitments') {
    return [
      'BillingCurrency',
      'ContractCommitmentCategory',
      'ContractCommitmentCost',
      'ContractCommitmentDescription',
      'ContractCommitmentId',
      'ContractCommitmentPeriodEnd',
      'ContractCommitmentPeriodStart',
      'ContractCommitmentQuantity',
      'ContractCommitmentType',
      'ContractCommitmentUnit',
      'ContractId',
    ]
  }
  // 1.3 replaced the columns of provider and publisher by those of service provider and host provider.
  if (version === '1.2') return [...charges, ...rest, 'ProviderName', 'PublisherName', ...ending, ...last]
  return [...charges, 'HostProviderName', ...rest, ...ending, 'ServiceProviderName', ...last]
}

/** The row of a purchase, a sale or a posting. */
export function chargeRow(payer: Payer, place: ChargedPlace | null, charge: Charge): ExportRow {
  const { type, created_at, amount_micros, fill } = charge
  const cost = printDollars(-amount_micros)
  const isPurchase = type === 'buy_fill'
  const end = fill === null ? created_at + 1 : fill.end_minute * 60
  return {
    ...commonOf(payer, place, created_at),
    ChargePeriodStart: printTime(created_at),
    ChargePeriodEnd: printTime(end),
    ChargeCategory: isPurchase ? 'Purchase' : type === 'adjustment' ? 'Adjustment' : 'Credit',
    ChargeClass: type === 'adjustment' ? 'Correction' : null,
    ChargeDescription: charge.description ?? descriptions[type] ?? type,
    ChargeFrequency: 'One-Time',
    BilledCost: cost,
    EffectiveCost: isPurchase ? '0.000000' : cost,
    ListCost: cost,
    ContractedCost: cost,
    ...(isPurchase && fill && place ? purchased(fill, place) : {}),
  }
}

/** The row of what a purchase cost in a day. */
export function usageRow(payer: Payer, place: ChargedPlace, use: DayOfUse): ExportRow {
  const { day, node_minutes, cost_micros, is_used, fill_id, price, is_spot } = use
  const cost = printDollars(cost_micros)
  const status = is_used ? 'Used' : 'Unused'
  return {
    ...commonOf(payer, place, day),
    ChargeCategory: 'Usage',
    ChargeDescription: is_used ? 'Node-hours that instances used' : 'Node-hours that no instance used',
    ChargeFrequency: 'Usage-Based',
    BilledCost: '0.000000',
    EffectiveCost: cost,
    ListCost: cost,
    ContractedCost: cost,
    ...pricing({ node_minutes, price, is_spot }, place),
    ConsumedQuantity: is_used ? printHours(node_minutes) : null,
    ConsumedUnit: is_used ? unit : null,
    CapacityReservationId: place.pool_id,
    CapacityReservationStatus: status,
    ...committed(fill_id),
    CommitmentDiscountStatus: status,
  }
}

/** The row of a window that is still held: what it costs from now on. */
export function commitmentRow(held: {
  readonly fill_id: string
  readonly start: number
  readonly end: number
  readonly node_minutes: number
  readonly cost_micros: bigint
  readonly place: ChargedPlace
}): ExportRow {
  return {
    BillingCurrency: 'USD',
    ContractCommitmentCategory: 'Usage',
    ContractCommitmentCost: printDollars(held.cost_micros),
    ContractCommitmentDescription: 'Capacity window',
    ContractCommitmentId: held.fill_id,
    ContractCommitmentPeriodStart: printTime(held.start),
    ContractCommitmentPeriodEnd: printTime(held.end),
    ContractCommitmentQuantity: printHours(held.node_minutes),
    ContractCommitmentType: 'Capacity window',
    ContractCommitmentUnit: unit,
    ContractId: held.place.pool_id,
  }
}

/** The row of a calendar month. A month closes 48 hours after its end. */
export function periodRow(start: number, end: number, now: number): ExportRow {
  return {
    BillingPeriodStart: printTime(start),
    BillingPeriodEnd: printTime(end),
    BillingPeriodStatus: now >= end + closingSeconds ? 'Closed' : 'Open',
    InvoiceIssuerName: marketplace,
  }
}

/** A time as FOCUS writes it. */
export function printTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}

/** Node-hours with six decimals, rounded half up; for display. */
export function printHours(node_minutes: number): string {
  return printDollars((BigInt(node_minutes) * 1_000_000n + 30n) / 60n)
}

const descriptions: Readonly<Record<string, string>> = {
  buy_fill: 'Purchase of node-hours',
  sell_fill: 'Sale of node-hours',
}

function commonOf(payer: Payer, place: ChargedPlace | null, time: number): ExportRow {
  if (place === null) return makeCommon(payer, null, time)
  const day = Math.floor(time / daySeconds)
  const row = place.made.get(day) ?? makeCommon(payer, place, time)
  place.made.set(day, row)
  return row
}

function makeCommon(payer: Payer, place: ChargedPlace | null, time: number): ExportRow {
  const date = new Date(time * 1000)
  const month = (offset: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1) / 1000
  const supplier = place?.supplier ?? marketplace
  const day = time - (time % daySeconds)
  return {
    // The periods of usage. A purchase has its own.
    ChargePeriodStart: printTime(day),
    ChargePeriodEnd: printTime(day + daySeconds),
    BillingAccountId: payer.id,
    BillingAccountName: payer.name,
    SubAccountId: place?.workspace_id ?? null,
    SubAccountName: place?.workspace_name ?? null,
    BillingCurrency: 'USD',
    BillingPeriodStart: printTime(month(0)),
    BillingPeriodEnd: printTime(month(1)),
    ServiceCategory: 'Compute',
    ServiceName: 'Compute capacity',
    ServiceProviderName: marketplace,
    HostProviderName: supplier,
    ProviderName: marketplace,
    PublisherName: supplier,
    InvoiceIssuerName: marketplace,
    ...(place === null ? {} : placed(place)),
  }
}

function placed({ region, zone, pool_id, pool_name, sku_id, tags }: ChargedPlace): ExportRow {
  return {
    RegionId: region?.id ?? null,
    RegionName: region?.name ?? null,
    AvailabilityZone: zone,
    ResourceId: pool_id,
    ResourceName: pool_name,
    ResourceType: 'Pool',
    SkuId: sku_id,
    Tags: tags === null ? null : JSON.stringify(tags),
  }
}

function purchased(fill: ChargedFill, place: ChargedPlace): ExportRow {
  return { ...pricing(fill, place), ...committed(fill.id), CapacityReservationId: place.pool_id }
}

function pricing(
  { node_minutes, price, is_spot }: Pick<ChargedFill, 'node_minutes' | 'price' | 'is_spot'>,
  { sku_id }: ChargedPlace,
): ExportRow {
  return {
    PricingCategory: is_spot ? 'Dynamic' : 'Committed',
    PricingQuantity: printHours(node_minutes),
    PricingUnit: unit,
    ListUnitPrice: price,
    ContractedUnitPrice: price,
    SkuPriceId: `${sku_id}:${price}`,
  }
}

function committed(fillId: string): ExportRow {
  return {
    CommitmentDiscountId: fillId,
    CommitmentDiscountCategory: 'Usage',
    CommitmentDiscountType: 'Capacity window',
  }
}

/** Only spot deployments among the automations buy for as long as their instances run. */
export function isSpot(managedBy: string | null): boolean {
  return managedBy?.startsWith('depl_') ?? false
}
