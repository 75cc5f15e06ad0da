/** Firewalls, subnets and InfiniBand partitions. */
import { useAddress } from '../ui/address.ts'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { FirewallsTab } from './firewalls-tab.tsx'
import { PartitionsTab } from './partitions-tab.tsx'
import { SubnetsTab } from './subnets-tab.tsx'

const help = `A firewall says who may reach the public addresses of instances; what no rule allows is dropped. Subnets
and InfiniBand partitions are private: the instances in one reach each other, and nobody else reaches them there.`

/** What the tabs keep in the address. Another tab begins without it. */
const ofTabs = { sort: '', open: '', create: '', workspace: '' }

/** The page. */
export function NetworkPage() {
  const [{ tab }, setAddress] = useAddress({ tab: 'firewalls', ...ofTabs })
  return (
    <Page title="Network" help={help} guide="/docs/concepts/instances">
      <Tabs
        value={tab}
        onChange={(next) => setAddress({ ...ofTabs, tab: next }, { push: true })}
        tabs={[
          { id: 'firewalls', title: 'Firewalls', content: <FirewallsTab /> },
          { id: 'subnets', title: 'Subnets', content: <SubnetsTab /> },
          { id: 'partitions', title: 'InfiniBand partitions', content: <PartitionsTab /> },
        ]}
      />
    </Page>
  )
}
