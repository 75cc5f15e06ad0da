/** Loads another world, or begins anew. Everything is wiped, so it asks first. */
import { createClient, type LoadedScenario } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useAccount } from '../live/clock.ts'
import { useAction, useRead } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import styles from './sandbox-bar.module.css'

/** The worlds by name. */
export function Worlds() {
  const [chosen, setChosen] = useState<string>()
  const scenarios = useRead(['scenario', 'all'], () => client.scenarios.list().all())
  const { data: account } = useAccount()
  const email = account?.user?.email
  const load = useAction(async (name: string) => signInTo(await client.scenarios.load(name), account?.id, email))
  return (
    <div className={styles.choices}>
      <ErrorText error={scenarios.error} />
      {(scenarios.data ?? []).map(({ name, description }) => (
        <p key={name}>
          <Button onClick={() => setChosen(name)}>{name}</Button> <span className="quiet small">{description}</span>
        </p>
      ))}
      <ConfirmDialog
        title={`Load ${chosen}?`}
        action="Wipe everything and load it"
        isOpen={chosen !== undefined}
        onClose={() => setChosen(undefined)}
        onConfirm={() => load.run(chosen as string)}
        isBusy={load.isRunning}
        error={load.error}
      >
        <p>
          All accounts, orders and instances of this sandbox are gone for good. Tokens that were printed stay valid.
        </p>
      </ConfirmDialog>
    </div>
  )
}

/**
 * The session went with the old world: a sign-in link of the new one takes its place, for the same account where the
 * new world has it, and for the same person where the account has one of that address.
 */
async function signInTo(
  { accounts }: LoadedScenario,
  account: string | undefined,
  email: string | null | undefined,
): Promise<void> {
  const own = accounts.find(({ id }) => id === account) ?? accounts[0]
  if (!own) throw new Error('The world has no account to sign in to. Sign in by the command line.')
  const admin = createClient({ baseUrl: location.origin, token: own.token })
  const users = await admin.users.list().all({ max: 100 })
  const user = users.find((one) => one.email === email) ?? users[0] ?? (await makeAdmin(admin))
  const { url } = await admin.users.createSignInLink(user.id)
  location.assign(new URL(url).pathname)
}

async function makeAdmin(admin: ReturnType<typeof createClient>) {
  const user = await admin.users.create({ email: 'admin@example.com' })
  await admin.grants.create({ principal_type: 'user', principal_id: user.id, role: 'role_admin' })
  return user
}
