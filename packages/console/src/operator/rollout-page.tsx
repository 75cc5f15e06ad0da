/** One rollout of the agent: how far its groups are, the hosts that need attention, and its buttons. */
import type { AgentRollout } from '@bourse/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { agentRollouts, agentRolloutsGroups, agentRolloutsHosts } from '../generated/rows/operator.ts'
import { client } from '../live/client.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { columnsOf } from '../live/lists/columns.ts'
import { Details } from '../live/lists/details.tsx'
import { ItemPage } from '../live/lists/item-page.tsx'
import { useName } from '../live/names/names.ts'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction, useRead } from '../live/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Table } from '../ui/table.tsx'
import { OperatorsOnly } from './operators-only.tsx'
import { haltCause, haltSentence, hostReason, rolloutActions } from './rollouts.rules.ts'
import { RolloutState, rolloutPace } from './rollouts.tsx'

const nouns: readonly Noun[] = ['agent_rollout', 'host']
/** As many hosts as the server shows one by one. */
const shownHosts = 100

/** The page. */
export function RolloutPage() {
  return (
    <OperatorsOnly>
      <ItemPage
        operation="get_agent_rollout"
        every={rolloutPace}
        parent={{ to: '/operator', search: { tab: 'rollouts' }, title: 'Agent rollouts' }}
        titleOf={({ agent_version, rolls_back }) => (rolls_back ? `Back from ${agent_version}` : agent_version)}
        beside={RolloutState}
        help="A rollout updates the agents of hosts group by group, and halts at the first failure. Machines run on."
        guide="/docs/concepts/agent-updates"
        actions={(rollout) => <Actions rollout={rollout} />}
      >
        {(rollout) => <Shown rollout={rollout} />}
      </ItemPage>
    </OperatorsOnly>
  )
}

function Shown({ rollout }: { rollout: AgentRollout }) {
  const { groups, hosts } = rollout
  const groupColumns = groupColumnsOf(rollout)
  return (
    <div className="stack">
      {rollout.state === 'halted' ? <Halt rollout={rollout} /> : null}
      <section className="card" aria-label="Properties">
        <Details columns={facts} row={rollout} />
      </section>
      <section className="card" aria-labelledby="groups">
        <h2 id="groups">Groups</h2>
        <Table name="Groups" columns={groupColumns} rows={groups} keyOf={({ name }) => name} />
      </section>
      <section className="card" aria-labelledby="hosts">
        <h2 id="hosts">Hosts that are being updated, failed or are left out</h2>
        {hosts.length === 0 ? (
          <p className="quiet">None.</p>
        ) : (
          <Table name="Hosts" columns={hostColumns} rows={hosts} keyOf={({ host }) => host} />
        )}
        {hosts.length < shownHosts ? null : (
          <p className="quiet">Only {shownHosts} are shown, those that failed first.</p>
        )}
      </section>
    </div>
  )
}

function Halt({ rollout }: { rollout: AgentRollout }) {
  const cause = haltCause(rollout)
  return (
    <section className="card" aria-labelledby="halt">
      <h2 id="halt" className="bad">
        {haltSentence(rollout)}
      </h2>
      {cause === undefined ? null : (
        <p>
          <HostLink id={cause.host} />: <bdi>{cause.text}</bdi>
        </p>
      )}
      <p className="quiet">
        No further host begins. Resume it to try the hosts that failed again, or roll it back.{' '}
        <a href="/docs/runbooks/agent-rollout-halted">What to do</a>
      </p>
    </section>
  )
}

const facts = columnsOf(agentRollouts, [
  { of: 'group', title: 'Present group', none: 'all had theirs' },
  { of: 'hosts_at_once', title: 'At once' },
  { of: 'health_seconds', title: 'Watched for' },
  { of: 'return_seconds', title: 'Back within' },
  'created_at',
  { of: 'ended_at', title: 'Ended', isOptional: true },
  {
    of: 'rolls_back',
    title: 'Takes back',
    isOptional: true,
    cell: ({ rolls_back }) => (
      <Link to="/operator/rollouts/$id" params={{ id: rolls_back ?? '' }}>
        {rolls_back}
      </Link>
    ),
  },
  'id',
])

function groupColumnsOf({ group, state }: AgentRollout) {
  return columnsOf(agentRolloutsGroups, [
    {
      of: 'name',
      title: 'Group',
      cell: ({ name }) => (
        <>
          <bdi>{name}</bdi> {name === group && state === 'running' ? <Badge word="now" tone="busy" /> : null}
        </>
      ),
    },
    { of: 'percent', title: 'Share', none: 'the rest', cell: ({ percent }) => `${percent} %` },
    'hosts',
    { of: 'pending', title: 'Waiting' },
    'updating',
    'updated',
    'failed',
    { of: 'skipped', title: 'Left out' },
  ])
}

const hostColumns = columnsOf(agentRolloutsHosts, [
  { of: 'host', title: 'Host', cell: ({ host }) => <HostLink id={host} /> },
  'group',
  'state',
  { of: 'from_version', title: 'From', none: 'not known' },
  { of: 'to_version', title: 'To' },
  { of: 'reason', title: 'Why', value: hostReason },
])

function HostLink({ id }: { id: string }) {
  const name = useName(id)
  return (
    <Link to="/operator/hosts/$id" params={{ id }} title={id}>
      <bdi>{name ?? id}</bdi>
    </Link>
  )
}

function Actions({ rollout }: { rollout: AgentRollout }) {
  const { id, agent_version } = rollout
  const navigate = useNavigate()
  const [opened, setOpened] = useState<'cancel' | 'roll_back'>()
  const newest = useRead(['agent_rollout', 'newest'], () => client.agentRollouts.list({ limit: 1 }))
  const may = rolloutActions(rollout, newest.data?.data[0]?.id === id)
  const halt = useAction(() => client.agentRollouts.halt(id), { nouns })
  const resume = useAction(() => client.agentRollouts.resume(id), { nouns })
  const close = () => setOpened(undefined)
  return (
    <>
      {may.halt ? (
        <Button onClick={() => halt.run(undefined)} isBusy={halt.isRunning}>
          Halt
        </Button>
      ) : null}
      {may.resume ? (
        <Button kind="primary" onClick={() => resume.run(undefined)} isBusy={resume.isRunning}>
          Resume
        </Button>
      ) : null}
      {may.cancel ? <Button onClick={() => setOpened('cancel')}>Cancel</Button> : null}
      {may.roll_back ? (
        <Button kind="danger" onClick={() => setOpened('roll_back')}>
          Roll back
        </Button>
      ) : null}
      <ErrorText error={halt.error ?? resume.error} />
      {opened === 'cancel' ? (
        <ConfirmOperation
          operation="cancel_agent_rollout"
          params={{ id }}
          title={`Cancel the rollout of ${agent_version}?`}
          action="Cancel the rollout"
          nouns={nouns}
          said="The rollout is cancelled."
          onClose={close}
        >
          <p>It ends. Hosts keep the version that they have.</p>
        </ConfirmOperation>
      ) : null}
      {opened === 'roll_back' ? (
        <ConfirmOperation
          operation="roll_back_agent_rollout"
          params={{ id }}
          title={`Roll ${agent_version} back?`}
          action="Roll back"
          nouns={nouns}
          said="Hosts get their former versions."
          onDone={(back) => {
            close()
            void navigate({ to: '/operator/rollouts/$id', params: { id: back.id } })
          }}
          onClose={close}
        >
          <p>It ends, and a new rollout gives the hosts that it has updated the versions that they had before.</p>
        </ConfirmOperation>
      ) : null}
    </>
  )
}
