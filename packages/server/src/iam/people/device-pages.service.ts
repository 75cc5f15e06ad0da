/**
 * The page on which a signed-in person approves a program. It shows what asks and from where: somebody else may have
 * sent the code, to be signed in as the person who approves.
 */
import { isRefusal } from '../../core/base/refusal.ts'
import type { TransferRequest, TransferResponse } from '../../core/http/transfer.ts'
import { plainCommand } from '../../core/work/command.ts'
import type { Caller, Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { readUserCode, userCodeText } from './device-logins.rules.ts'
import {
  approveLogin,
  denyLogin,
  devicePath,
  findTypedLogin,
  recordRefusal,
  type ShownLogin,
} from './device-logins.service.ts'
import type { HtmlPage } from './pages.rules.ts'
import { baseOf, foreignPage, pageResponse, readForm, readPerson, signInPath } from './pages.service.ts'

const title = 'Sign in a program'
const form = { fields: [{ name: 'user_code', label: 'Code' }], buttons: { continue: 'Continue' } }

const pages = {
  ask: { title, lines: ['Type the code that the program shows.'], form },
  wrong: { title, lines: ['No program waits with this code. It may have expired. Compare it, or begin again.'], form },
  limited: { title, lines: ['Too many wrong codes. Try again in a minute.'] },
  stranger: {
    title: 'Sign in first',
    lines: ['A program waits to be signed in. Sign in yourself, in this browser, to approve it.'],
  },
  old: {
    title: 'Sign in again',
    lines: ['This needs a sign-in of the last 15 minutes.'],
  },
  frozen: {
    title: 'Your account is frozen',
    lines: ['It may only read, so it lets no program in. Ask the operator of the platform.'],
  },
  approved: { title: 'The program is signed in', lines: ['You can close this page and go back to it.'] },
  denied: { title: 'The program was refused', lines: ['It gets no access.'] },
} satisfies Record<string, HtmlPage>

/** Shows the page, with the request if the address names its code. */
export async function showDevicePage(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  const typed = new URLSearchParams(transfer.query).get('user_code')
  const caller = await readPerson(transfer)
  if (!caller) return pageResponse(runtime, 401, withSignIn(runtime, pages.stranger, typed))
  if (typed === null) return pageResponse(runtime, 200, pages.ask)
  return run(runtime, transfer, caller, (ctx) => showLogin(ctx, typed, transfer))
}

/** Takes the form of the page: a typed code, or the decision about one. */
export async function answerDevicePage(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  if (!transfer.is_same_origin) return pageResponse(runtime, 403, foreignPage)
  const fields = await readForm(transfer)
  const [typed, answer] = [fields?.get('user_code') ?? null, fields?.get('answer')]
  const caller = await readPerson(transfer)
  if (!caller) return pageResponse(runtime, 401, withSignIn(runtime, pages.stranger, typed))
  if (!typed) return pageResponse(runtime, 400, pages.ask)
  return run(runtime, transfer, caller, async (ctx) => {
    if (answer !== 'approve' && answer !== 'deny') return showLogin(ctx, typed, transfer)
    const login = await findTypedLogin(ctx, typed, transfer.sender)
    if (login === undefined || login === 'limited') return missing(ctx, login)
    if (answer === 'approve') return approve(ctx, login, transfer)
    await denyLogin(ctx, login)
    return pageResponse(ctx, 200, pages.denied)
  })
}

async function approve(ctx: Ctx, login: ShownLogin, { sender }: TransferRequest): Promise<TransferResponse> {
  try {
    return (await approveLogin(ctx, login, sender)) ? pageResponse(ctx, 200, pages.approved) : missing(ctx, undefined)
  } catch (error) {
    if (!isRefusal(error, 'forbidden') && !isRefusal(error, 'insufficient_user_authentication')) throw error
    await recordRefusal(ctx, sender, error.code)
    if (error.code === 'forbidden') return pageResponse(ctx, 403, pages.frozen)
    return pageResponse(ctx, 401, withSignIn(ctx, pages.old, userCodeText(login.user_code)))
  }
}

/** The page with the way to sign in, which leads back to the code. */
function withSignIn(site: Pick<Runtime, 'public_url'>, page: HtmlPage, typed: string | null): HtmlPage {
  const code = readUserCode(typed ?? '')
  const back = code === undefined ? devicePath : `${devicePath}?user_code=${userCodeText(code)}`
  const query = new URLSearchParams({ return_to: `${baseOf(site)}${back}` })
  if (page === pages.old) query.set('step_up', '1')
  const href = `${baseOf(site)}${signInPath}?${query}`
  return { ...page, parts: [{ links: [{ href, label: page.title }] }] }
}

async function showLogin(ctx: Ctx, typed: string, { sender }: TransferRequest): Promise<TransferResponse> {
  ctx.leaveUnrecorded('nothing')
  const login = await findTypedLogin(ctx, typed, sender)
  if (login === undefined || login === 'limited') return missing(ctx, login)
  const { user_code, client_name, device, address } = login
  const code = userCodeText(user_code)
  return pageResponse(ctx, 200, {
    title,
    lines: [
      `${client_name} asks to act for you, from the address ${address}. It calls itself ${device}.`,
      `Approve only if you have just started it yourself and it shows the code ${code}.`,
      'It then has all of your rights for 30 days, or until you end its session.',
    ],
    form: { fields: [{ name: 'user_code', value: code }], buttons: { approve: 'Approve', deny: 'Refuse' } },
  })
}

function missing(ctx: Ctx, found: 'limited' | undefined): TransferResponse {
  ctx.leaveUnrecorded('nothing')
  return found === 'limited' ? pageResponse(ctx, 429, pages.limited) : pageResponse(ctx, 404, pages.wrong)
}

function run(
  runtime: Runtime,
  { request_id }: TransferRequest,
  caller: Caller,
  work: (ctx: Ctx) => Promise<TransferResponse>,
): Promise<TransferResponse> {
  return plainCommand(runtime, { caller, actor: { type: 'token', id: caller.token_id }, request_id }, work)
}
