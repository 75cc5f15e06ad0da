/** What is around every page: header, navigation, banners, the sandbox's bar, and the panels that open over a page. */
import type { Account } from '@bourse/sdk'
import { localZone } from '@bourse/text/time/local-zone.ts'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useAccount } from '../live/clock.ts'
import { forgetDrafts } from '../live/drafts/draft.ts'
import { startLive, useConnection } from '../live/live.ts'
import { Button } from '../ui/button.tsx'
import { ErrorText, RightsHelp } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { AccountMenu } from './account-menu.tsx'
import styles from './frame.module.css'
import { useKeys } from './keys.ts'
import { firstPlaces, navigation, operatorsFirstPlaces } from './navigation.ts'

const MarketHaltBanner = lazy(() =>
  import('../market/halt-banner.tsx').then(({ MarketHaltBanner: banner }) => ({ default: banner })),
)
const SandboxBar = lazy(() => import('../sandbox/sandbox-bar.tsx').then(({ SandboxBar: bar }) => ({ default: bar })))
const Palette = lazy(() => import('./palette.tsx').then(({ Palette: palette }) => ({ default: palette })))
const KeysHelp = lazy(() => import('./keys-help.tsx').then(({ KeysHelp: help }) => ({ default: help })))
const Requests = lazy(() => import('./requests-panel.tsx').then(({ RequestsPanel: panel }) => ({ default: panel })))

const OperatorNavigation = lazy(() =>
  import('./operator-navigation.tsx').then(({ OperatorNavigation: own }) => ({ default: own })),
)
const IfAllowed = lazy(() => import('../access/if-allowed.tsx').then(({ IfAllowed: part }) => ({ default: part })))
const WhoCanGive = lazy(() => import('../access/who-can-give.tsx').then(({ WhoCanGive: who }) => ({ default: who })))

/** A panel over the page. */
type Panel = 'palette' | 'keys' | 'requests' | undefined

/** The frame. Nothing is shown before the session is known. */
export function Frame() {
  const { data: account, error } = useAccount()
  const [panel, setPanel] = useState<Panel>()
  // A dialog tells late that it was closed: by then the next panel may be open, and has to stay.
  const closeOf = (own: Panel) => () => setPanel((current) => (current === own ? undefined : current))
  useKeys({ palette: () => setPanel('palette'), keys: () => setPanel('keys') })
  useEffect(() => {
    if (!account) return
    forgetDrafts(account)
    startLive({ account: `${account.id}-${account.token.id}`, since: account.server.now })
  }, [account])
  if (!account) return <main className={styles.alone}>{error ? <ErrorText error={error} /> : <Loading />}</main>
  return (
    <RightsHelp value={WhoCanGive}>
      <div className={styles.frame} data-mode={account.server.mode}>
        <a className={styles.skip} href="#page">
          Skip to the page
        </a>
        <Header account={account} onPanel={setPanel} />
        <Navigation isOperator={account.is_platform} />
        <main className={styles.main} id="page">
          <Connection />
          <Suspense>
            <MarketHaltBanner />
          </Suspense>
          <Suspense fallback={<Loading />}>
            <Content />
          </Suspense>
        </main>
        <Suspense>
          {panel === 'palette' ? (
            <Palette
              onClose={closeOf('palette')}
              isOperator={account.is_platform}
              person={account.user?.id ?? account.token.id}
              onPanel={setPanel}
            />
          ) : null}
          {panel === 'keys' ? <KeysHelp onClose={closeOf('keys')} /> : null}
          {panel === 'requests' ? <Requests onClose={closeOf('requests')} /> : null}
        </Suspense>
        <Toasts />
      </div>
    </RightsHelp>
  )
}

/** The page. Who may not even read events may have no right at all. */
function Content() {
  if (useConnection() !== 'unavailable') return <Outlet />
  return (
    <IfAllowed>
      <Outlet />
    </IfAllowed>
  )
}

function Header({ account, onPanel }: { account: Account; onPanel: (panel: Panel) => void }) {
  return (
    <header className={styles.header}>
      <Link to="/" className={styles.brand}>
        Bourse
      </Link>
      <span className={styles.place} title={`The account ${account.name}`}>
        {account.is_platform ? 'Operator' : account.name}
      </span>
      <button type="button" className={styles.find} onClick={() => onPanel('palette')} aria-keyshortcuts="Control+K">
        <span>Search, or type an order</span> <kbd>Ctrl K</kbd>
      </button>
      <span className={styles.rest} />
      {account.server.mode === 'sandbox' ? (
        <Suspense>
          <SandboxBar />
        </Suspense>
      ) : null}
      <span className={styles.zone} title="All times of these pages are in this zone">
        {localZone()}
      </span>
      <span className={styles.far}>
        <Button kind="plain" onClick={() => onPanel('requests')}>
          Requests
        </Button>
        <a href="/docs/guides">Docs</a>
      </span>
      <AccountMenu account={account} />
    </header>
  )
}

function Navigation({ isOperator }: { isOperator: boolean }) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // Another page closes the menu of a narrow screen.
  const [openAt, setOpenAt] = useState<string>()
  const isOpen = openAt === path
  return (
    <nav className={styles.navigation} aria-label="Pages">
      <div className={styles.first}>
        {(isOperator ? operatorsFirstPlaces : firstPlaces).map(({ to, title, search }) => (
          <Link
            key={title}
            to={to}
            search={search ?? {}}
            activeOptions={{ exact: isOperator || to === '/', includeSearch: isOperator }}
          >
            {title}
          </Link>
        ))}
        <button type="button" aria-expanded={isOpen} onClick={() => setOpenAt(isOpen ? undefined : path)}>
          Menu
        </button>
      </div>
      <div className={styles.groups} data-open={isOpen}>
        {isOperator ? (
          <Suspense>
            <OperatorNavigation>
              <Places overview={{ view: 'account' }} />
            </OperatorNavigation>
          </Suspense>
        ) : (
          <Places overview={{}} />
        )}
      </div>
    </nav>
  )
}

/** The pages that every account has. */
function Places({ overview }: { overview: Readonly<Record<string, string>> }) {
  return navigation.map(({ title, places }) => (
    <div key={title}>
      {title ? <h2>{title}</h2> : null}
      <ul>
        {places.map((place) => (
          <li key={place.to}>
            <Link
              to={place.to}
              search={place.to === '/' ? overview : {}}
              activeOptions={{ exact: place.to === '/', includeSearch: false }}
            >
              {place.title}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ))
}

/** A quiet banner while changes of others are not shown as they happen. */
function Connection() {
  const connection = useConnection()
  if (connection !== 'away') return null
  return (
    <p className={styles.banner} role="status">
      The server cannot be reached. What is shown may be old; it is read again as soon as the server is back.
    </p>
  )
}
