/** Who is signed in, where, and the ways out. */

import type { Account } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { forgetDrafts } from '../live/drafts/draft.ts'
import { buttonClass } from '../ui/button.tsx'
import { Popover } from '../ui/popover.tsx'
import styles from './account-menu.module.css'
import { applyTheme, chosenTheme, type Theme } from './theme.ts'

const themes: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' }

/** The menu of the person. Signing out is a form, so that it works without anything else. */
export function AccountMenu({ account }: { account: Account }) {
  const [theme, setTheme] = useState(chosenTheme())
  const who = account.user?.name ?? account.user?.email ?? account.token.name
  const choose = (next: Theme) => {
    applyTheme(next)
    setTheme(next)
  }
  return (
    <Popover label={<span className={styles.who}>{who}</span>} title={`Account of ${who}`}>
      <div className={styles.menu}>
        <div>
          <b>{account.name}</b>
          <br />
          <span className="quiet small mono">{account.id}</span>
        </div>
        <fieldset>
          <legend>Theme</legend>
          {Object.entries(themes).map(([value, label]) => (
            <label key={value}>
              <input type="radio" name="theme" checked={theme === value} onChange={() => choose(value as Theme)} />{' '}
              {label}
            </label>
          ))}
        </fieldset>
        <Link
          to="/access"
          search={{ tab: 'sessions' }}
          // The browser closes a popover only for a click outside of it.
          onClick={({ currentTarget }) => currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
        >
          Sessions and passkeys
        </Link>
        <form method="post" action="/sign_out" onSubmit={() => forgetDrafts()}>
          <button type="submit" className={buttonClass()}>
            Sign out
          </button>
        </form>
      </div>
    </Popover>
  )
}
