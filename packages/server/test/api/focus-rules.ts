/**
 * The rules of the FOCUS specification for the columns that exports have: level, type, whether a value may be missing,
 * and the values that are allowed. It is written down apart from the program, from the specification.
 */
export type FocusRow = Readonly<Record<string, string | null>>

type FocusRulesVersion = '1.2' | '1.4'
type FocusColumn = {
  readonly level: 'mandatory' | 'conditional' | 'recommended'
  readonly type: 'decimal' | 'time' | 'text' | 'tags'
  /** Says whether a value must be there, must not, or may be missing. */
  readonly nulls?: 'never' | ((row: FocusRow) => 'never' | 'always' | 'allowed')
  readonly values?: readonly string[]
  readonly only?: FocusRulesVersion
}

const isCharge = (row: FocusRow) => ['Usage', 'Purchase'].includes(row.ChargeCategory ?? '')
const pricedIf = (row: FocusRow) => (isCharge(row) && row.ChargeClass !== 'Correction' ? 'never' : 'allowed')
const withId = (id: string) => (row: FocusRow) => (row[id] === null ? 'always' : 'never')
const statusOf = (id: string) => (row: FocusRow) =>
  row[id] !== null && row.ChargeCategory === 'Usage' ? 'never' : 'always'

const columns: Readonly<Record<string, FocusColumn>> = {
  BilledCost: { level: 'mandatory', type: 'decimal', nulls: 'never' },
  BillingAccountId: { level: 'mandatory', type: 'text', nulls: 'never' },
  BillingAccountName: { level: 'mandatory', type: 'text', nulls: 'never' },
  BillingCurrency: { level: 'mandatory', type: 'text', nulls: 'never', values: ['USD'] },
  BillingPeriodStart: { level: 'mandatory', type: 'time', nulls: 'never' },
  BillingPeriodEnd: { level: 'mandatory', type: 'time', nulls: 'never' },
  ChargeCategory: {
    level: 'mandatory',
    type: 'text',
    nulls: 'never',
    values: ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'],
  },
  ChargeClass: { level: 'mandatory', type: 'text', values: ['Correction'] },
  ChargeDescription: { level: 'mandatory', type: 'text' },
  ChargePeriodStart: { level: 'mandatory', type: 'time', nulls: 'never' },
  ChargePeriodEnd: { level: 'mandatory', type: 'time', nulls: 'never' },
  ContractedCost: { level: 'mandatory', type: 'decimal', nulls: 'never' },
  EffectiveCost: { level: 'mandatory', type: 'decimal', nulls: 'never' },
  HostProviderName: { level: 'mandatory', type: 'text', nulls: 'never', only: '1.4' },
  InvoiceIssuerName: { level: 'mandatory', type: 'text', nulls: 'never' },
  ListCost: { level: 'mandatory', type: 'decimal', nulls: 'never' },
  PricingQuantity: { level: 'mandatory', type: 'decimal', nulls: pricedIf },
  PricingUnit: { level: 'mandatory', type: 'text', nulls: withId('PricingQuantity') },
  ProviderName: { level: 'mandatory', type: 'text', nulls: 'never', only: '1.2' },
  PublisherName: { level: 'mandatory', type: 'text', nulls: 'never', only: '1.2' },
  ServiceCategory: { level: 'mandatory', type: 'text', nulls: 'never', values: ['Compute'] },
  ServiceName: { level: 'mandatory', type: 'text', nulls: 'never' },
  ServiceProviderName: { level: 'mandatory', type: 'text', nulls: 'never', only: '1.4' },
  ChargeFrequency: {
    level: 'recommended',
    type: 'text',
    nulls: 'never',
    values: ['One-Time', 'Recurring', 'Usage-Based'],
  },
  AvailabilityZone: { level: 'recommended', type: 'text' },
  CapacityReservationId: { level: 'conditional', type: 'text' },
  CapacityReservationStatus: {
    level: 'conditional',
    type: 'text',
    nulls: statusOf('CapacityReservationId'),
    values: ['Used', 'Unused'],
  },
  CommitmentDiscountId: { level: 'conditional', type: 'text' },
  CommitmentDiscountCategory: {
    level: 'conditional',
    type: 'text',
    nulls: withId('CommitmentDiscountId'),
    values: ['Spend', 'Usage'],
  },
  CommitmentDiscountType: { level: 'conditional', type: 'text', nulls: withId('CommitmentDiscountId') },
  CommitmentDiscountStatus: {
    level: 'conditional',
    type: 'text',
    nulls: statusOf('CommitmentDiscountId'),
    values: ['Used', 'Unused'],
  },
  ConsumedQuantity: {
    level: 'conditional',
    type: 'decimal',
    nulls: (row) => (row.ChargeCategory === 'Usage' && row.CommitmentDiscountStatus !== 'Unused' ? 'never' : 'always'),
  },
  ConsumedUnit: { level: 'conditional', type: 'text', nulls: withId('ConsumedQuantity') },
  ContractedUnitPrice: { level: 'conditional', type: 'decimal', nulls: pricedIf },
  ListUnitPrice: { level: 'conditional', type: 'decimal', nulls: pricedIf },
  PricingCategory: {
    level: 'conditional',
    type: 'text',
    nulls: pricedIf,
    values: ['Standard', 'Dynamic', 'Committed', 'Other'],
  },
  RegionId: { level: 'conditional', type: 'text' },
  RegionName: { level: 'conditional', type: 'text', nulls: withId('RegionId') },
  ResourceId: { level: 'conditional', type: 'text' },
  ResourceName: { level: 'conditional', type: 'text' },
  ResourceType: { level: 'conditional', type: 'text', nulls: withId('ResourceId') },
  SkuId: { level: 'conditional', type: 'text', nulls: pricedIf },
  SkuPriceId: { level: 'conditional', type: 'text', nulls: pricedIf },
  SubAccountId: { level: 'conditional', type: 'text' },
  SubAccountName: { level: 'conditional', type: 'text', nulls: withId('SubAccountId') },
  Tags: { level: 'conditional', type: 'tags' },
}

const shapes = {
  decimal: /^-?\d+(\.\d+)?$/,
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  text: /^[\s\S]+$/,
  tags: /^\{.*\}$/,
}

/** What in some rows breaks the specification, one line each. */
export function violations(rows: readonly FocusRow[], version: FocusRulesVersion): string[] {
  const own = Object.entries(columns).filter(([, { only = version }]) => only === version)
  return [...new Set(rows.flatMap((row) => [...violationsOf(row, own), ...periodsOf(row)]))]
}

const parquetTypes = { decimal: 'DECIMAL(18, 6)', time: 'TIMESTAMP_MILLIS', text: 'UTF8', tags: 'UTF8' }

/** What in the types of a Parquet file breaks the specification, one line each. */
export function typeViolations(types: Readonly<Record<string, string>>, version: FocusRulesVersion): string[] {
  const own = Object.entries(columns).filter(([, { only = version }]) => only === version)
  return own.flatMap(([name, { type }]) => {
    return types[name] === parquetTypes[type] ? [] : [`${name} is a ${types[name]}`]
  })
}

function violationsOf(row: FocusRow, own: [string, FocusColumn][]): string[] {
  const found: string[] = []
  const names = new Set(own.map(([name]) => name))
  for (const name of Object.keys(row)) if (!names.has(name)) found.push(`${name} is no column of the version`)
  for (const [name, { type, nulls, values }] of own) {
    const value = row[name]
    if (value === undefined) {
      found.push(`${name} is missing`)
      continue
    }
    const rule = typeof nulls === 'function' ? nulls(row) : (nulls ?? 'allowed')
    if (value === null && rule === 'never') found.push(`${name} is null in ${row.ChargeCategory}`)
    if (value !== null && rule === 'always') found.push(`${name} is ${value} in ${row.ChargeCategory}`)
    if (value !== null && !shapes[type].test(value)) found.push(`${name} is ${value}`)
    if (value !== null && values && !values.includes(value)) found.push(`${name} is ${value}`)
  }
  return found
}

function periodsOf(row: FocusRow): string[] {
  const found: string[] = []
  const [start, end] = [row.ChargePeriodStart ?? '', row.ChargePeriodEnd ?? '']
  if (start >= end) found.push(`the charge period ${start} to ${end} is empty`)
  if (start < (row.BillingPeriodStart ?? '') || start >= (row.BillingPeriodEnd ?? '')) {
    found.push(`the charge of ${start} is outside of its billing period`)
  }
  return found
}

/** The rows of a CSV text (RFC 4180), by column. Empty cells are null. */
export function parseCsv(text: string): FocusRow[] {
  const records: string[][] = []
  let [record, cell, isQuoted] = [[] as string[], '', false]
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    if (isQuoted && char === '"' && text[i + 1] === '"') {
      cell += '"'
      i++
    } else if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && char === ',') {
      record.push(cell)
      cell = ''
    } else if (!isQuoted && char === '\r' && text[i + 1] === '\n') {
      records.push([...record, cell])
      record = []
      cell = ''
      i++
    } else cell += char
  }
  const [names = [], ...rows] = records
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] || null])))
}
