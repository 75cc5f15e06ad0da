/** What only the operator of the platform sees: accounts, SKUs, hosts, the market, money, the health of the server. */
import { useAddress } from '../ui/address.ts'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Accounts } from './accounts.tsx'
import { Health } from './health.tsx'
import { Hosts } from './hosts.tsx'
import { Market } from './market.tsx'
import { Revenue } from './revenue.tsx'
import { Skus } from './skus.tsx'

/** The page. */
export function OperatorPage() {
  const [{ tab }, setAddress] = useAddress({ tab: 'accounts' })
  const tabs = [
    { id: 'accounts', title: 'Accounts', content: <Accounts /> },
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
      <Tabs tabs={tabs} value={tab} onChange={(id) => setAddress({ tab: id }, { push: true })} />
    </Page>
  )
}
