/** The page on which a person who is signed in adds and removes passkeys, and sees recovery codes once. */
import type { Id } from '@bourse/api/kit/ids.ts'
import { isRefusal } from '../../core/base/refusal.ts'
import type { TransferRequest, TransferResponse } from '../../core/http/transfer.ts'
import { plainCommand } from '../../core/work/command.ts'
import { type Caller, type Ctx, callerOf } from '../../core/work/ctx.ts'
import { query } from '../../core/work/query.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import type { CommandOrigin } from '../../core/work/writing.ts'
import { requireRecentSignIn } from '../access/permissions.service.ts'
import { recordOwnAct } from '../audit/acts.service.ts'
import { relyingPartyOf } from '../passkeys/passkeys.rules.ts'
import { deletePasskey, listPasskeys } from '../passkeys/passkeys.service.ts'
import { countCodes, endRecoveryCodes, replaceRecoveryCodes } from '../passkeys/recovery-codes.service.ts'
import type { HtmlPage, PagePart } from '../people/pages.rules.ts'
import { baseOf, foreignPage, goTo, pageResponse, readForm, readPerson, signInPath } from '../people/pages.service.ts'
import { findUserPlace, nameOfAccount, nameOfUser, personOf } from '../people/user-places.service.ts'
import { purposeQuery } from './entries.service.ts'

export const passkeysPath = `${signInPath}/passkeys`

const title = 'Passkeys and recovery codes'

/** Shows the passkeys of the person. */
export async function showPasskeys(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  const caller = await readPerson(transfer)
  if (!caller) return toSignIn(runtime, false)
  return query(runtime, originOf(transfer, caller), async (ctx) =>
    pageResponse(ctx, 200, await pageFor(runtime, ctx, transfer)),
  )
}

/** Takes the forms of the page: the removal of a passkey, and new recovery codes. */
export async function changePasskeys(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  if (!transfer.is_same_origin) return pageResponse(runtime, 403, foreignPage)
  const caller = await readPerson(transfer)
  if (!caller) return toSignIn(runtime, false)
  const form = (await readForm(transfer)) ?? new URLSearchParams()
  const [answer, passkey] = [form.get('answer'), form.get('passkey')]
  try {
    return await plainCommand(runtime, originOf(transfer, caller), async (ctx) => {
      const user = personOf(callerOf(ctx)) as Id<'user'>
      // The pages of the server do not pass the pipeline, which asks for operations of the API.
      if ((answer === 'remove' && passkey) || answer === 'new_codes') requireRecentSignIn(ctx)
      if (answer === 'remove' && passkey) return remove(ctx, transfer, user, passkey as Id<'passkey'>)
      if (answer === 'new_codes') return makeCodes(runtime, ctx, transfer, user)
      ctx.leaveUnrecorded('nothing')
      return goTo(pathOf(runtime))
    })
  } catch (error) {
    if (isRefusal(error, 'insufficient_user_authentication')) return toSignIn(runtime, true)
    const links = [{ href: pathOf(runtime), label: 'Back' }]
    if (!isRefusal(error)) throw error
    return pageResponse(runtime, error.status, {
      title: 'Nothing was changed',
      lines: [error.data.message],
      parts: [{ links }],
    })
  }
}

async function remove(
  ctx: Ctx,
  { sender }: TransferRequest,
  user: Id<'user'>,
  passkey: Id<'passkey'>,
): Promise<TransferResponse> {
  await deletePasskey(ctx, { params: { id: user, passkey }, query: {}, body: undefined }, (id) =>
    endRecoveryCodes(ctx, id),
  )
  const targets = [
    { type: 'user', id: user },
    { type: 'passkey', id: passkey },
  ]
  recordOwnAct(ctx, { operation: 'delete_user_passkey', targets, sender })
  return goTo(`${baseOf(ctx)}${passkeysPath}`)
}

async function makeCodes(
  runtime: Runtime,
  ctx: Ctx,
  { sender }: TransferRequest,
  user: Id<'user'>,
): Promise<TransferResponse> {
  const { codes: code } = await replaceRecoveryCodes(ctx, user)
  recordOwnAct(ctx, { operation: 'create_recovery_codes', targets: [{ type: 'user', id: user }], sender })
  const links = [{ href: pathOf(runtime), label: 'Back to the passkeys' }]
  return pageResponse(runtime, 200, { title: 'Your recovery codes', lines: codeLines, parts: [{ code, links }] })
}

const codeLines = ['Write them down or print them now: they are not shown again. Each signs you in once.']

async function pageFor(runtime: Runtime, ctx: Ctx, transfer: TransferRequest): Promise<HtmlPage> {
  const id = personOf(callerOf(ctx)) as Id<'user'>
  const user = await findUserPlace(ctx, id)
  if (!user) return { title, lines: ['You are not signed in any more.'] }
  const { data } = await listPasskeys(ctx, id)
  const forms = data.map(({ id: passkey, name, last_used_at }) => ({
    fields: [{ name: 'passkey', value: passkey }],
    buttons: { remove: 'Remove' },
    line: last_used_at === null ? `${name}, not used yet` : `${name}, last used ${dayOf(last_used_at)}`,
    is_plain: true,
  }))
  const none = data.length === 0 ? ['You have none yet.'] : []
  return {
    title,
    lines: [`You are ${nameOfUser(user)} of the account ${nameOfAccount(user)}.`],
    parts: [
      { title: 'Passkeys', lines: none, forms },
      ...addParts(runtime, transfer),
      ...(data.length === 0 ? [] : [codesPart(await countCodes(ctx, id))]),
      {
        links: [
          { href: `${baseOf(runtime)}/`, label: 'Continue' },
          { href: `${baseOf(runtime)}/sign_out`, label: 'Sign out' },
        ],
      },
    ],
    script: { return_to: pathOf(runtime), is_step_up: true },
  }
}

function addParts(runtime: Runtime, { headers }: TransferRequest): PagePart[] {
  const { mode, public_url } = runtime
  if (relyingPartyOf({ mode, public_url: public_url(), host: headers.host }) === undefined) {
    return [{ lines: ['Passkeys belong to the name of a site, and this address has none.'] }]
  }
  const field = { name: 'name', label: 'Name of a new passkey', length: 64, kind: 'text' as const }
  return [
    {
      id: 'passkeys',
      is_hidden: true,
      forms: [{ fields: [field], buttons: { add: 'Add a passkey' }, id: 'add-passkey' }],
    },
    { id: 'no-passkeys', lines: ['To add one, allow the script of this page.'] },
    { id: 'passkey-problem', is_hidden: true, lines: [''] },
    {
      id: 'new-codes',
      is_hidden: true,
      title: 'Your recovery codes',
      lines: codeLines,
      links: [{ href: pathOf(runtime), label: 'Done' }],
    },
  ]
}

function codesPart(left: number): PagePart {
  const lines = [`${left} of 10 are left. New ones end those before.`]
  return { title: 'Recovery codes', lines, forms: [{ fields: [], buttons: { new_codes: 'Make new codes' } }] }
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}

function pathOf(site: Pick<Runtime, 'public_url'>): string {
  return `${baseOf(site)}${passkeysPath}`
}

function toSignIn(runtime: Runtime, is_step_up: boolean): TransferResponse {
  return goTo(`${baseOf(runtime)}${signInPath}${purposeQuery({ return_to: pathOf(runtime), is_step_up })}`)
}

function originOf({ request_id }: TransferRequest, caller: Caller): CommandOrigin {
  return { caller, actor: { type: 'token', id: caller.token_id }, request_id }
}
