/** Pages that exist for the operator of the platform alone. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAccount } from '../live/clock.ts'
import { Page } from '../ui/page.tsx'

/** Shows them to the operator, and to everybody else that there is no such page. */
export function OperatorsOnly({ children }: { children: ReactNode }) {
  const { data: account } = useAccount()
  if (!account) return null
  if (account.is_platform) return children
  return (
    <Page
      title="Not found"
      help="No page of the console has this address for you. The navigation lists all that you have."
      guide="/docs/guides/first-hour"
    >
      <p>
        There is no page at this address. <Link to="/">Go to the board.</Link>
      </p>
    </Page>
  )
}
