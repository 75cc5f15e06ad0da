/** The account itself: how it is divided, and what it may have. */
import { useAccount } from '../live/clock.ts'
import { useAddress } from '../ui/address.ts'
import { Facts, Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Copyable, Moment } from '../ui/values.tsx'
import { LimitsTab } from './limits-tab.tsx'
import { WorkspacesTab } from './workspaces-tab.tsx'

const help = `Workspaces divide an account: each has names and rights of its own. Limits bound how much of everything
the account may have; they follow from how far it is trusted.`

/** What the tabs keep in the address. Another tab begins without it. */
const ofTabs = { sort: '', open: '', create: '' }

/** The page. */
export function AccountPage() {
  const [{ tab }, setAddress] = useAddress({ tab: 'workspaces', ...ofTabs })
  const { data: account } = useAccount()
  return (
    <Page title="Account" help={help} guide="/docs/concepts/access">
      {account ? (
        <Facts
          facts={[
            ['Name', <bdi key="name">{account.name}</bdi>],
            ['Id', <Copyable key="id" text={account.id} />],
            ['Trust', account.trust_level],
            ['Since', <Moment key="since" at={account.created_at} />],
          ]}
        />
      ) : null}
      <Tabs
        value={tab}
        onChange={(next) => setAddress({ ...ofTabs, tab: next }, { push: true })}
        tabs={[
          { id: 'workspaces', title: 'Workspaces', content: <WorkspacesTab /> },
          { id: 'limits', title: 'Limits', content: <LimitsTab /> },
        ]}
      />
    </Page>
  )
}
