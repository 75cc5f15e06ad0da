/** The address that the board had before it was the home of buyers: it leads there, with all that it says. */
import { Navigate, useSearch } from '@tanstack/react-router'
import { useAccount } from '../live/clock.ts'

/** Goes to the board. The operator's home is the desk, unless the address says more. */
export function MarketPage() {
  const search = useSearch({ strict: false })
  const { data: account } = useAccount()
  const isBare = Object.keys(search).length === 0
  return <Navigate to="/" search={isBare && account?.is_platform ? { view: 'account' } : search} replace />
}
