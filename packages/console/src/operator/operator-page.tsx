/** What only the operator of the platform sees: accounts, SKUs, hosts, the market, money, the health of the server. */
import { type ComponentType, lazy, Suspense } from 'react'
import { useAddress } from '../ui/address.ts'
import { Loading, Page } from '../ui/page.tsx'
import { OperatorsOnly } from './operators-only.tsx'

/** A part is loaded when it is first shown: whoever looks at the desk needs nothing of the others. */
const part = (read: () => Promise<ComponentType>) => lazy(async () => ({ default: await read() }))

const parts = {
  desk: ['Desk', part(() => import('./desk/desk.tsx').then(({ Desk }) => Desk))],
  accounts: ['Accounts', part(() => import('./accounts.tsx').then(({ Accounts }) => Accounts))],
  orders: ['All orders', part(() => import('./all-orders.tsx').then(({ AllOrders }) => AllOrders))],
  instances: ['All instances', part(() => import('./all-instances.tsx').then(({ AllInstances }) => AllInstances))],
  pools: ['All pools', part(() => import('./all-pools.tsx').then(({ AllPools }) => AllPools))],
  usage: ['Usage', part(() => import('./all-usage.tsx').then(({ AllUsage }) => AllUsage))],
  credits: ['Credits', part(() => import('./credits.tsx').then(({ Credits }) => Credits))],
  skus: ['SKUs', part(() => import('./skus.tsx').then(({ Skus }) => Skus))],
  hosts: ['Hosts', part(() => import('./hosts.tsx').then(({ Hosts }) => Hosts))],
  rollouts: ['Agent rollouts', part(() => import('./rollouts.tsx').then(({ Rollouts }) => Rollouts))],
  market: ['Market', part(() => import('./market.tsx').then(({ Market }) => Market))],
  revenue: ['Revenue and ledger', part(() => import('./revenue.tsx').then(({ Revenue }) => Revenue))],
  health: ['Health', part(() => import('./health.tsx').then(({ Health }) => Health))],
} as const

/** The page. Its parts are places of the operator's navigation. */
export function OperatorPage() {
  const [{ tab }] = useAddress({ tab: 'desk' })
  const [title, Part] = Object.hasOwn(parts, tab) ? parts[tab as keyof typeof parts] : parts.desk
  return (
    <OperatorsOnly>
      <Page
        title={title}
        help={
          <>
            The operator of the platform decides who may trade how much, what is sold and by which machines. What is
            done here in an account is visible to that account.
          </>
        }
        guide="/docs/guides/production"
      >
        <Suspense fallback={<Loading />}>
          <Part />
        </Suspense>
      </Page>
    </OperatorsOnly>
  )
}
