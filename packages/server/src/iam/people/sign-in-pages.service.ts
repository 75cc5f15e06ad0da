/**
 * The pages of sign-in links. Opening a link changes nothing, because programs that scan mail open links too: the
 * button does, and only from the page itself.
 */
import { setSession } from '../../core/http/credentials.ts'
import type { Transfer, TransferAnswer } from '../../core/http/transfer.ts'
import { plainCommand } from '../../core/work/command.ts'
import { query } from '../../core/work/query.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import type { Origin } from '../../core/work/writing.ts'
import { type Page, pageHeaders, pageHtml } from './pages.rules.ts'
import { readSignInLink, useSignInLink } from './sign-in-links.service.ts'

const over: Page = {
  title: 'This link is no longer valid',
  lines: ['A sign-in link works once, for 15 minutes. Ask for another one where you got this one.'],
}
const foreign: Page = {
  title: 'Nothing was done',
  lines: ['This request did not come from the page of this server. Open the link again and use its button.'],
}

/** Shows whom a link signs in, with a button. */
export async function showLink(runtime: Runtime, { params, request_id }: Transfer): Promise<TransferAnswer> {
  const link = await query(runtime, originOf(request_id), (ctx) => readSignInLink(ctx, String(params.code)))
  return link ? pageAnswer(200, pageOf(link)) : pageAnswer(410, over)
}

/** Opens the session of a link and gives it to the browser. */
export async function useLink(runtime: Runtime, transfer: Transfer): Promise<TransferAnswer> {
  const { params, request_id, sender, is_same_origin } = transfer
  // Otherwise another site could sign somebody in as a user of its choice.
  if (!is_same_origin) return pageAnswer(403, foreign)
  const before = await transfer.signedIn()
  const opened = await plainCommand(runtime, originOf(request_id), (ctx) =>
    useSignInLink(ctx, String(params.code), { sender, replaces: before }),
  )
  if (!opened) return pageAnswer(410, over)
  const { token, seconds, user_id, account_id } = opened
  runtime.log.info({ request_id, account_id, user_id, address: sender.address }, 'A user signed in by a link.')
  const headers = ['Location', '../', 'Set-Cookie', setSession(token, seconds, runtime), 'Cache-Control', 'no-store']
  return { status: 303, headers }
}

/** The response that shows a page. */
export function pageAnswer(status: number, page: Page): TransferAnswer {
  const body = Buffer.from(pageHtml(page))
  const open = async function* () {
    yield body
  }
  const content = { size_bytes: body.length, open }
  return { status, headers: pageHeaders, media_type: 'text/html; charset=utf-8', content }
}

type Link = NonNullable<Awaited<ReturnType<typeof readSignInLink>>>

function pageOf({ user_name, email, account_id, account_name }: Link): Page {
  const who = email === null ? user_name : `${user_name} (${email})`
  const account = account_name === account_id ? account_id : `${account_name} (${account_id})`
  return {
    title: 'Sign in to Bourse',
    lines: [`This browser will be signed in as ${who} of the account ${account}.`],
    form: { fields: [], buttons: { sign_in: 'Sign in' } },
  }
}

function originOf(request_id: string): Origin {
  return { actor: { type: 'system' }, request_id }
}
