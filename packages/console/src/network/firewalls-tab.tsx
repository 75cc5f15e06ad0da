/** Firewalls: a list, and each with its rules as a table and in words. */

import type { Firewall } from '@bourse/sdk'
import { WorkspaceFilter } from '../access/filters.tsx'
import { firewalls } from '../generated/rows/network.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { ListTab } from '../live/lists/list-page.tsx'
import { Badge } from '../ui/badge.tsx'
import { CreateFirewall } from './dialogs.tsx'
import { reachOf } from './firewall.rules.ts'
import { FirewallDialog } from './firewall-dialog.tsx'

const columns = columnsOf(
  firewalls,
  [
    {
      of: 'name',
      cell: ({ name, is_default }) => (
        <>
          <bdi>{name}</bdi> {is_default ? <Badge word="default" /> : null}
        </>
      ),
    },
    'workspace',
    'rules',
    { id: 'reach', title: 'Who may reach what', value: reachText },
    'updated_at',
  ],
  ['id'],
)

/** The tab. */
export function FirewallsTab() {
  return (
    <ListTab
      name="Firewalls"
      operation="list_firewalls"
      every={15_000}
      columns={columns}
      filters={{ workspace: WorkspaceFilter }}
      create={{
        label: 'Create a firewall',
        dialog: (close, open) => <CreateFirewall onClose={close} onDone={({ id }) => open(id)} />,
      }}
      empty={{
        title: 'No firewall',
        command: 'bourse firewalls create --name web',
        text: 'Every workspace begins with one that lets anyone reach SSH. What no rule allows does not get in.',
      }}
      opened={(firewall, close) => <FirewallDialog firewall={firewall} onClose={close} />}
    />
  )
}

function reachText({ rules }: Firewall): string {
  const reach = reachOf(rules)
  return reach.length === 0 ? 'Nobody' : reach.map(({ who, what }) => `${who}: ${what.join(', ')}`).join('; ')
}
