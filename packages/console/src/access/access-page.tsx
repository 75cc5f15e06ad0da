/** People, grants, roles, tokens, the audit trail and one's own sessions. */
import { useAddress } from '../ui/address.ts'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AuditTab } from './audit-tab.tsx'
import { GrantsTab } from './grants-tab.tsx'
import { PeopleTab } from './people-tab.tsx'
import { RightsTab } from './rights-tab.tsx'
import { RolesTab } from './roles-tab.tsx'
import { SessionsTab } from './sessions-tab.tsx'
import { SshKeysTab } from './ssh-keys-tab.tsx'
import { TokensTab } from './tokens-tab.tsx'

const help = `A grant gives a role to a person or a token, in one workspace or in the whole account. Rights only add up,
and nobody can give a right that they lack.`

const ofAudit = { outcome: '', operation: '', actor: '', target: '', from: '', to: '' }
/** What the tabs keep in the address. Another tab begins without it. */
const ofTabs = {
  sort: '',
  create: '',
  open: '',
  email: '',
  who: '',
  may: '',
  in: '',
  role: '',
  workspace: '',
  ...ofAudit,
}

/** The page. */
export function AccessPage() {
  const [{ tab }, setAddress] = useAddress({ tab: 'people', ...ofTabs })
  return (
    <Page title="Access" help={help} guide="/docs/concepts/rights">
      <Tabs
        value={tab}
        onChange={(next) => setAddress({ ...ofTabs, tab: next }, { push: true })}
        tabs={[
          { id: 'people', title: 'People', content: <PeopleTab /> },
          { id: 'grants', title: 'Grants', content: <GrantsTab /> },
          { id: 'roles', title: 'Roles', content: <RolesTab /> },
          { id: 'rights', title: 'Who may do what', content: <RightsTab /> },
          { id: 'tokens', title: 'Tokens', content: <TokensTab /> },
          { id: 'ssh-keys', title: 'SSH keys', content: <SshKeysTab /> },
          { id: 'audit', title: 'Audit trail', content: <AuditTab /> },
          { id: 'sessions', title: 'Your sessions', content: <SessionsTab /> },
        ]}
      />
    </Page>
  )
}
