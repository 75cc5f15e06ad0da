/** Changes the SSH keys of a machine that runs, through its guest agent. */
import { join } from 'node:path'
import type { KeySync, MachineSpec } from '../driver.ts'
import { files } from './command-line.rules.ts'
import { type AskGuest, askGuestAgent, isGuestRefusal } from './guest-agent.ts'
import { type GuestLines, planKeys, usersOf } from './guest-keys.rules.ts'

const linesMax = 4096

/** Brings the keys of the platform in a guest to those of its desired state; undefined if it has no guest agent. */
export async function syncGuestKeys(
  { directory, ssh_keys: wanted = [] }: MachineSpec,
  { placed, is_settled }: KeySync,
): Promise<readonly string[] | undefined> {
  return askGuestAgent(join(directory, files.guest), async (ask) => {
    const guest = await readLines(ask)
    const { removals, additions, gone } = planKeys(guest, { wanted, placed, is_settled })
    for (const { user: username, lines: keys } of removals) {
      await ask('guest-ssh-remove-authorized-keys', { username, keys })
    }
    const isAdded = additions.length === 0 || (await add(ask, guest, additions))
    const present = isAdded ? wanted.map(({ id }) => id as string) : []
    return [...new Set([...placed.filter((id) => !gone.includes(id)), ...present])].sort()
  })
}

async function readLines(ask: AskGuest): Promise<GuestLines> {
  const { id } = (await unlessRefused(ask('guest-get-osinfo'), {})) as { readonly id?: unknown }
  const guest = []
  for (const user of usersOf(id)) {
    // It refuses where there is no such user, and where the user has no file.
    const answer = await unlessRefused(ask('guest-ssh-get-authorized-keys', { username: user }), { keys: [] })
    const { keys } = answer as { readonly keys?: unknown }
    const lines = Array.isArray(keys) ? keys.slice(0, linesMax).filter((line) => typeof line === 'string') : []
    guest.push({ user, lines })
  }
  return guest
}

/** Adds keys to the first user that exists. */
async function add(ask: AskGuest, guest: GuestLines, keys: readonly string[]): Promise<boolean> {
  for (const { user: username } of guest) {
    const isDone = ask('guest-ssh-add-authorized-keys', { username, keys }).then(() => true)
    if (await unlessRefused(isDone, false)) return true
  }
  return false
}

async function unlessRefused<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (isGuestRefusal(error)) return otherwise
    throw error
  }
}
