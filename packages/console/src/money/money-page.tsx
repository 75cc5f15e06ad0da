/** Balance, ledger, usage, budgets, exports and statements. */
import { lazy, Suspense } from 'react'
import { useAddress } from '../ui/address.ts'
import { Loading, Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { BalanceTab } from './balance-tab.tsx'
import { LedgerTab } from './ledger-tab.tsx'
import { UsageTab } from './usage-tab.tsx'

const help = `Buys are paid from the balance when they fill; an open buy holds what it may cost at most. The ledger has
every movement for good, and days and months are those of UTC.`

const ofLedger = { type: '', workspace: '', from: '', to: '', order: '', sort: '' }
const ofUsage = { span: '', by: '', tag: '', measure: '' }
/** What the tabs keep in the address. Another tab begins without it. */
const ofTabs = { ...ofLedger, ...ofUsage, create: '', open: '', kind: '', encoding: '', month: '' }

/** Tabs that most do not open, loaded when they are shown. */
const BudgetsTab = lazy(() => import('./budgets-tab.tsx').then(({ BudgetsTab: tab }) => ({ default: tab })))
const ExportsTab = lazy(() => import('./exports-tab.tsx').then(({ ExportsTab: tab }) => ({ default: tab })))
const StatementTab = lazy(() => import('./statement-tab.tsx').then(({ StatementTab: tab }) => ({ default: tab })))

/** The page. */
export function MoneyPage() {
  const [{ tab }, setAddress] = useAddress({ tab: 'balance', ...ofTabs })
  return (
    <Page title="Money" help={help} guide="/docs/concepts/money">
      <Suspense fallback={<Loading />}>
        <Tabs
          value={tab}
          onChange={(next) => setAddress({ ...ofTabs, tab: next }, { push: true })}
          tabs={[
            { id: 'balance', title: 'Balance', content: <BalanceTab /> },
            { id: 'ledger', title: 'Ledger', content: <LedgerTab /> },
            { id: 'usage', title: 'Usage', content: <UsageTab /> },
            { id: 'budgets', title: 'Budgets', content: <BudgetsTab /> },
            { id: 'exports', title: 'Exports', content: <ExportsTab /> },
            { id: 'statement', title: 'Statement', content: <StatementTab /> },
          ]}
        />
      </Suspense>
    </Page>
  )
}
