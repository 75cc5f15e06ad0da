/** What only the operator of the platform sees: accounts, SKUs, hosts, the market, money, the health of the server. */
import { useAddress } from '../ui/address.ts'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Accounts } from './accounts.tsx'
import { AllInstances } from './all-instances.tsx'
import { AllOrders } from './all-orders.tsx'
import { AllPools } from './all-pools.tsx'
import { AllUsage } from './all-usage.tsx'
import { Credits } from './credits.tsx'
import { Desk } from './desk.tsx'
import { Health } from './health.tsx'
import { Hosts } from './hosts.tsx'
import { Market } from './market.tsx'
import { OperatorsOnly } from './operators-only.tsx'
import { Revenue } from './revenue.tsx'
import { Skus } from './skus.tsx'

/** What the tabs keep in the address. Another tab begins without it, but with the same account. */
const ofTabs = { sort: '', state: '', side: '', sku: '', name: '', tag: '', kind: '', managed: '', window: '' }
const alsoOfTabs = { credit: '', show: '', open: '', create: '', trust_level: '', health: '' }

/** The page. */
export function OperatorPage() {
  return (
    <OperatorsOnly>
      <OperatorTabs />
    </OperatorsOnly>
  )
}

function OperatorTabs() {
  const [{ tab }, setAddress] = useAddress({ tab: 'desk', ...ofTabs, ...alsoOfTabs })
  const tabs = [
    { id: 'desk', title: 'Desk', content: <Desk /> },
    { id: 'accounts', title: 'Accounts', content: <Accounts /> },
    { id: 'orders', title: 'Orders', content: <AllOrders /> },
    { id: 'instances', title: 'Instances', content: <AllInstances /> },
    { id: 'pools', title: 'Pools', content: <AllPools /> },
    { id: 'usage', title: 'Usage', content: <AllUsage /> },
    { id: 'credits', title: 'Credits', content: <Credits /> },
    { id: 'skus', title: 'SKUs', content: <Skus /> },
    { id: 'hosts', title: 'Hosts', content: <Hosts /> },
    { id: 'market', title: 'Market', content: <Market /> },
    { id: 'revenue', title: 'Revenue and ledger', content: <Revenue /> },
    { id: 'health', title: 'Health', content: <Health /> },
  ]
  return (
    <Page
      title="Operator"
      help={
        <>
          The operator of the platform decides who may trade how much, what is sold and by which machines. What is done
          here in an account is visible to that account.
        </>
      }
      guide="/docs/guides/production"
    >
      <Tabs
        tabs={tabs}
        value={tab}
        onChange={(id) => setAddress({ ...ofTabs, ...alsoOfTabs, tab: id }, { push: true })}
      />
    </Page>
  )
}
