/** The calls that succeed only on pages of the server: what the browser of a person with a passkey sends there. */
import type { OperationName } from '@bourse/api/contract.ts'
import { startPasskeyRegistration, startPasskeySignIn } from '@bourse/api/iam/passkey-sign-in.ts'
import { createUserPasskey } from '@bourse/api/iam/passkeys.ts'
import { makePasskey, type SoftPasskey, signWith } from '../api/authenticator.ts'
import { type Browser, browserOf, openBrowser } from '../api/browsers.ts'
import { makeUser } from '../support/fixtures/people.ts'
import type { CaseCall } from './case.ts'
import type { ContractWorld } from './world.ts'

/** A browser, and the call that it makes next. */
export type PageCall = { readonly browser: Browser; readonly call: CaseCall }

type PasskeyOwner = { browser: Browser; user: string; passkey: SoftPasskey; codes: string[] }

async function personAt({ server, account }: ContractWorld): Promise<{ browser: Browser; user: string }> {
  const user = (await makeUser(server, account)).id
  return { browser: await browserOf(server, account, user), user }
}

/** What a browser is asked, where that succeeds. */
async function begin(browser: Browser, path: string) {
  const { status, text, body } = await browser.ask('POST', path, {})
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
  return body
}

async function keyed(world: ContractWorld): Promise<PasskeyOwner> {
  const { browser, user } = await personAt(world)
  const made = makePasskey(await begin(browser, startPasskeyRegistration.path), browser.origin)
  const { status, text, body } = await browser.ask('POST', createUserPasskey.path.replace(':id', user), made.body)
  if (status !== 201) throw new Error(`The passkey was answered with ${status}: ${text}`)
  return { browser, user, passkey: made.passkey, codes: body.recovery_codes }
}

export const pageCalls: Partial<Record<OperationName, (world: ContractWorld) => Promise<PageCall>>> = {
  start_passkey_registration: async (world) => ({ browser: (await personAt(world)).browser, call: { body: {} } }),
  create_user_passkey: async (world) => {
    const { browser, user } = await personAt(world)
    const asked = await begin(browser, startPasskeyRegistration.path)
    const { transports: _, ...body } = makePasskey(asked, browser.origin).body
    return { browser, call: { params: { id: user }, body } }
  },
  create_recovery_codes: async (world) => {
    const { browser, user } = await keyed(world)
    return { browser, call: { params: { id: user } } }
  },
  start_passkey_sign_in: async ({ server }) => ({ browser: openBrowser(server), call: { body: {} } }),
  finish_passkey_sign_in: async (world) => {
    const { passkey } = await keyed(world)
    const browser = openBrowser(world.server)
    const body = signWith(passkey, await begin(browser, startPasskeySignIn.path), browser.origin)
    return { browser, call: { body } }
  },
  use_recovery_code: async (world) => {
    const { codes } = await keyed(world)
    return { browser: openBrowser(world.server), call: { body: { code: codes[0] } } }
  },
}
