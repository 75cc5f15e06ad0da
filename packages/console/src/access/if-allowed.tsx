/** One page for who may do nothing yet, in the place of pages that would each refuse. */
import { Link, useMatchRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client } from '../live/client.ts'
import { useAccount } from '../live/clock.ts'
import { useRead } from '../live/queries.ts'
import { Loading, Page } from '../ui/page.tsx'
import { hasNoRight } from './rights.rules.ts'

/** Milliseconds: a role that is given shows without a reload. */
const pace = 10_000

/** The content, for who has any right at all. The page of access shows to everybody what is theirs alone. */
export function IfAllowed({ children }: { children: ReactNode }) {
  const isAccess = useMatchRoute()({ to: '/access' }) !== false
  const rights = useRead(['permission', ''], () => client.permissions.get({}), { every: pace })
  if (isAccess) return children
  if (rights.isPending && !rights.error) return <Loading />
  return rights.data && hasNoRight(rights.data) ? <NoRights /> : children
}

function NoRights() {
  const { data: account } = useAccount()
  const who = account?.user?.name ?? account?.token.name
  return (
    <Page
      title="Welcome"
      help="Whoever has no role sees nothing of an account. A role is given under Access, by people who have it."
      guide="/docs/concepts/rights"
    >
      <section className="card">
        <p>
          You are signed in to <b>{account?.name}</b> as <bdi>{who}</bdi>, and have no role yet.
        </p>
        <p>
          Ask an admin of the account for one: under Access, People, with the button Roles. These pages fill as soon as
          you have it.
        </p>
        <p className="quiet">
          What is yours alone is here already:{' '}
          <Link to="/access" search={{ tab: 'ssh-keys' }}>
            your SSH keys
          </Link>
          .
        </p>
      </section>
    </Page>
  )
}
