/**
 * The page on which a signed-in person approves a program. It shows what asks and from where: somebody else may have
 * sent the code, to be signed in as the person who approves.
 */
import { isRefusal } from '../../core/base/refusal.ts'
import type { Transfer, TransferAnswer } from '../../core/http/transfer.ts'
import { plainCommand } from '../../core/work/command.ts'
import type { Caller, Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { userCodeText } from './device-logins.rules.ts'
import { approveLogin, denyLogin, findTypedLogin, isPerson, type ShownLogin } from './device-logins.service.ts'
import type { Page } from './pages.rules.ts'
import { pageAnswer } from './sign-in-pages.service.ts'

const title = 'Sign in a program'
const form = { fields: [{ name: 'user_code', label: 'Code' }], buttons: { continue: 'Continue' } }

const pages = {
  ask: { title, lines: ['Type the code that the program shows.'], form },
  wrong: { title, lines: ['No program waits with this code. It may have expired. Compare it, or begin again.'], form },
  limited: { title, lines: ['Too many wrong codes. Try again in a minute.'] },
  stranger: {
    title: 'Sign in first',
    lines: ['Open a sign-in link in this browser. Then open this page again, by typing or pasting its address.'],
  },
  old: {
    title: 'Sign in again',
    lines: ['This needs a sign-in of the last 15 minutes. Open a new sign-in link, then open this page again.'],
  },
  foreign: { title: 'Nothing was done', lines: ['This request did not come from the page of this server.'] },
  approved: { title: 'The program is signed in', lines: ['You can close this page and go back to it.'] },
  denied: { title: 'The program was refused', lines: ['It gets no access.'] },
} satisfies Record<string, Page>

/** The longest body of a form. */
const formBytesMax = 4096

/** Shows the page, with the request if the address names its code. */
export async function showDevicePage(runtime: Runtime, transfer: Transfer): Promise<TransferAnswer> {
  const caller = await readPerson(transfer)
  if (!caller) return pageAnswer(401, pages.stranger)
  const typed = new URLSearchParams(transfer.query).get('user_code')
  if (typed === null) return pageAnswer(200, pages.ask)
  return run(runtime, transfer, caller, (ctx) => showLogin(ctx, typed, transfer))
}

/** Takes the form of the page: a typed code, or the decision about one. */
export async function answerDevicePage(runtime: Runtime, transfer: Transfer): Promise<TransferAnswer> {
  if (!transfer.is_same_origin) return pageAnswer(403, pages.foreign)
  const caller = await readPerson(transfer)
  if (!caller) return pageAnswer(401, pages.stranger)
  const fields = await readForm(transfer)
  const [typed, answer] = [fields?.get('user_code'), fields?.get('answer')]
  if (!typed) return pageAnswer(400, pages.ask)
  return run(runtime, transfer, caller, async (ctx) => {
    if (answer !== 'approve' && answer !== 'deny') return showLogin(ctx, typed, transfer)
    const login = await findTypedLogin(ctx, typed, transfer.sender)
    if (login === undefined || login === 'limited') return missing(login)
    if (answer === 'approve') return approve(ctx, login)
    await denyLogin(ctx, login)
    return pageAnswer(200, pages.denied)
  })
}

async function approve(ctx: Ctx, { user_code }: ShownLogin): Promise<TransferAnswer> {
  try {
    return (await approveLogin(ctx, user_code)) ? pageAnswer(200, pages.approved) : missing(undefined)
  } catch (error) {
    if (isRefusal(error, 'insufficient_user_authentication')) return pageAnswer(401, pages.old)
    throw error
  }
}

async function showLogin(ctx: Ctx, typed: string, { sender }: Transfer): Promise<TransferAnswer> {
  const login = await findTypedLogin(ctx, typed, sender)
  if (login === undefined || login === 'limited') return missing(login)
  const { user_code, client_name, device, address } = login
  const code = userCodeText(user_code)
  return pageAnswer(200, {
    title,
    lines: [
      `${client_name} asks to act for you, from the address ${address}. It calls itself ${device}.`,
      `Approve only if you have just started it yourself and it shows the code ${code}.`,
      'It then has all of your rights for 30 days, or until you end its session.',
    ],
    form: { fields: [{ name: 'user_code', value: code }], buttons: { approve: 'Approve', deny: 'Refuse' } },
  })
}

function missing(found: 'limited' | undefined): TransferAnswer {
  return found === 'limited' ? pageAnswer(429, pages.limited) : pageAnswer(404, pages.wrong)
}

async function readPerson({ signedIn }: Transfer): Promise<Caller | undefined> {
  const caller = await signedIn()
  return caller && isPerson(caller) ? caller : undefined
}

function run(
  runtime: Runtime,
  { request_id }: Transfer,
  caller: Caller,
  work: (ctx: Ctx) => Promise<TransferAnswer>,
): Promise<TransferAnswer> {
  return plainCommand(runtime, { caller, actor: { type: 'token', id: caller.token_id }, request_id }, work)
}

/** The fields of a form; undefined if the body is none, or too long. */
async function readForm({ headers, bytes }: Transfer): Promise<URLSearchParams | undefined> {
  if (headers['content-type']?.split(';', 1)[0] !== 'application/x-www-form-urlencoded') return undefined
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of bytes()) {
    length += piece.length
    if (length > formBytesMax) return undefined
    pieces.push(piece)
  }
  return new URLSearchParams(Buffer.concat(pieces).toString('utf8'))
}
