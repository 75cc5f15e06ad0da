/** The navigation of the operator: the desk and what belongs to it, then the pages of the account as a customer. */
import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { operatorPlaces, placeSearch } from './operator-places.ts'

/** Groups of links. `children`: the pages that every account has. */
export function OperatorNavigation({ children }: { children: ReactNode }) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const tab = useRouterState({ select: ({ location: { search } }) => String(search.tab ?? 'desk') })
  // What one account does is looked at in several places.
  const account = useRouterState({ select: ({ location: { search } }) => search.account })
  const isHere = path.includes('/operator')
  const ofItem = (['hosts', 'rollouts', 'accounts'] as const).find((list) => path.includes(`/${list}/`))
  const chosen = ofItem ?? tab
  return (
    <>
      {operatorPlaces.map(({ title, places }) => (
        <div key={title}>
          {title ? <h2>{title}</h2> : null}
          <ul>
            {places.map((place) => (
              <li key={place.tab}>
                <Link
                  to="/operator"
                  search={{ ...placeSearch(place), ...(isHere && account ? { account } : {}) }}
                  activeOptions={{ exact: true }}
                  {...(isHere && chosen === place.tab ? { 'aria-current': 'page' } : {})}
                >
                  {place.title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {/* The account of the operator may trade too. */}
      <details open={!isHere}>
        <summary>As a customer</summary>
        {children}
      </details>
    </>
  )
}
