/** The list of procurements. */
import type { Procurement } from '@bourse/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { usePools, useSkus } from '../fleet/choices.ts'
import { useNow } from '../live/clock.ts'
import { useExample } from '../live/example.ts'
import { spanText } from '../live/forms/typed.rules.ts'
import { ListView } from '../live/lists/list-view.tsx'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import type { Column } from '../ui/table.tsx'
import { Age, Copyable, Money } from '../ui/values.tsx'
import { StatusBadge } from './status-card.tsx'

const CreateProcurementDialog = lazy(() =>
  import('./procurement-form.tsx').then(({ CreateProcurementDialog: dialog }) => ({ default: dialog })),
)

/** The page. */
export function ProcurementsPage() {
  const [address, setAddress] = useAddress({ pool: '', sku: '', sort: '', dialog: '' })
  const navigate = useNavigate()
  const now = useNow()
  const { pool, sku } = address
  // Its status changes without an event of its own.
  const list = useList('list_procurements', { pool, sku }, { every: 10_000 })
  const open = ({ id }: Pick<Procurement, 'id'>) => void navigate({ to: '/procurements/$id', params: { id } })
  const create = (
    <Button kind="primary" onClick={() => setAddress({ dialog: 'create' })}>
      Create procurement
    </Button>
  )
  return (
    <Page title="Procurements" help={help} guide="/docs/guides/procurements" actions={create}>
      <Filters value={{ pool, sku }} onChange={setAddress} />
      <ListView
        name="Procurements"
        list={list}
        columns={columnsAt(now)}
        keyOf={({ id }) => id}
        onOpen={open}
        empty={<NoProcurement create={create} />}
      />
      <Suspense>
        {address.dialog === 'create' ? (
          <CreateProcurementDialog isOpen onClose={() => setAddress({ dialog: '' })} onCreated={open} />
        ) : null}
      </Suspense>
    </Page>
  )
}

function NoProcurement({ create }: { create: ReactNode }) {
  const [pool, sku] = [useExample('pool'), useExample('sku')]
  const command =
    `bourse procurements create --pool ${pool} --sku ${sku} --target 2 --managed-window 1d ` +
    '--max-buy-price 20.00 --min-sell-price 24.00'
  return (
    <Empty title="No procurement" action={create} command={command}>
      A procurement buys what a pool is short of, and sells what it has too much of, at your prices. It holds money only
      for the orders that it has open.
    </Empty>
  )
}

const help = (
  <>
    A procurement keeps a pool at a number of nodes of one SKU, minute by minute, over a window that moves with time. It
    buys what is missing and sells what is left over, at prices that you set.
  </>
)

type FilterProps = {
  value: { pool: string; sku: string }
  onChange: (change: { pool?: string; sku?: string }) => void
}

function Filters({ value, onChange }: FilterProps) {
  const pools = usePools(['market', 'originating']).options
  const skus = useSkus().options
  const named = (options: typeof pools) => ({
    '': 'All',
    ...Object.fromEntries(options.map(({ id, name }) => [id, name])),
  })
  return (
    <div className="row no-print">
      <Select label="Pool" value={value.pool} onChange={(pool) => onChange({ pool })} options={named(pools)} />
      <Select label="SKU" value={value.sku} onChange={(sku) => onChange({ sku })} options={named(skus)} />
    </div>
  )
}

function columnsAt(now: number): readonly Column<Procurement>[] {
  return [
    { id: 'name', title: 'Name', value: ({ name }) => name, cell: (row) => <ProcurementLink procurement={row} /> },
    {
      id: 'status',
      title: 'Status',
      value: ({ status, enabled }) => (enabled ? status.code : 'paused'),
      cell: ({ status, enabled }) => <StatusBadge status={status} enabled={enabled} />,
    },
    { id: 'target', title: 'Target', value: ({ target }) => target, cell: ({ target }) => targetText(target) },
    {
      id: 'buy',
      title: 'Buys at most at',
      isNumber: true,
      value: ({ max_buy_price_dollars_per_node_hour: price }) => price,
      cell: ({ max_buy_price_dollars_per_node_hour: price }) => <Money dollars={price} />,
    },
    {
      id: 'sell',
      title: 'Sells at least at',
      isNumber: true,
      value: ({ min_sell_price_dollars_per_node_hour: price }) => price,
      cell: ({ min_sell_price_dollars_per_node_hour: price }) => <Money dollars={price} />,
    },
    {
      id: 'window',
      title: 'Looks ahead',
      isNumber: true,
      value: ({ managed_window_minutes: minutes }) => minutes,
      cell: ({ managed_window_minutes: minutes }) => spanText(minutes),
    },
    { id: 'sku', title: 'SKU', value: ({ sku }) => sku.alias, cell: ({ sku }) => sku.alias },
    { id: 'pool', title: 'Pool', value: ({ pool }) => pool.name, cell: ({ pool }) => pool.name },
    {
      id: 'created_at',
      title: 'Created',
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Age at={created_at} now={now} />,
      isExtra: true,
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}

/** The target in words. */
function targetText(target: Procurement['target']): string {
  return target === 'node_count' ? 'as many as instances' : `${target} nodes`
}

function ProcurementLink({ procurement: { id, name } }: { procurement: Procurement }) {
  return (
    <Link to="/procurements/$id" params={{ id }}>
      <bdi>{name}</bdi>
    </Link>
  )
}
