/**
 * The pages of sign-in links. Opening a link changes nothing, because programs that scan mail open links too: the
 * button does, and only from the page itself.
 */
import type { TransferRequest, TransferResponse } from '../../core/http/transfer.ts'
import { plainCommand } from '../../core/work/command.ts'
import { query } from '../../core/work/query.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import type { CommandOrigin } from '../../core/work/writing.ts'
import type { HtmlPage } from '../people/pages.rules.ts'
import { foreignPage, pageResponse, readForm } from '../people/pages.service.ts'
import { readSignInLink, recordRefusedLink, useSignInLink } from '../people/sign-in-links.service.ts'
import { nameOfAccount, nameOfUser } from '../people/user-places.service.ts'
import { enter, purposeFields, readBefore, readPurpose, rememberedPurpose } from './entries.service.ts'
import { beginAtProvider, pageOfUsedLink } from './provider-pages.service.ts'

const otherUser: HtmlPage = {
  title: 'This link is for somebody else',
  lines: ['You were asked to sign in again as the user that you are. Use a link for that user, or sign out first.'],
}

/** Shows whom a link signs in, with its buttons. */
export async function showLink(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  const { params, request_id } = transfer
  const link = await query(runtime, originOf(request_id), (ctx) => readSignInLink(ctx, String(params.code)))
  return link ? pageResponse(runtime, 200, pageOf(runtime, transfer, link)) : pageResponse(runtime, 410, pageOfUsedLink)
}

/** Opens the session of a link and gives it to the browser, or begins to connect its user with a provider. */
export async function useLink(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  const { params, request_id, sender, is_same_origin } = transfer
  // Otherwise another site could sign somebody in as a user of its choice.
  if (!is_same_origin) return pageResponse(runtime, 403, foreignPage)
  const form = (await readForm(transfer)) ?? new URLSearchParams()
  const remembered = rememberedPurpose(runtime, transfer)
  const purpose = { ...remembered, return_to: readPurpose(form).return_to ?? remembered.return_to }
  const { before, only } = await readBefore(transfer, purpose)
  const code = String(params.code)
  const link = await query(
    runtime,
    originOf(request_id),
    async (ctx) => (await readSignInLink(ctx, code)) ?? recordRefusedLink(ctx, code, sender),
  )
  if (!link) return pageResponse(runtime, 410, pageOfUsedLink)
  if (only !== undefined && only !== link.user_id) return pageResponse(runtime, 403, otherUser)
  const provider = providersOf(runtime, link).find(({ name }) => form.get('answer') === `connect ${name}`)
  if (provider) return beginAtProvider(runtime, transfer, { provider, purpose, before, only, link: code })
  const opened = await plainCommand(runtime, originOf(request_id), (ctx) =>
    useSignInLink(ctx, code, { sender, replaces: before }),
  )
  if (!opened) return pageResponse(runtime, 410, pageOfUsedLink)
  return enter(runtime, transfer, { opened, way: 'a link', return_to: purpose.return_to }, '../')
}

type Link = NonNullable<Awaited<ReturnType<typeof readSignInLink>>>

function pageOf(runtime: Runtime, transfer: TransferRequest, link: Link): HtmlPage {
  const purpose = { ...readPurpose(new URLSearchParams(transfer.query)), is_step_up: false }
  const fields = purposeFields(purpose)
  const connections = providersOf(runtime, link).map(({ name }) => ({
    fields,
    buttons: { [`connect ${name}`]: `Connect ${name} and sign in` },
  }))
  const lines = ['From then on, this user comes in by the provider, without a link.']
  return {
    title: 'Sign in to Bourse',
    lines: [`This browser will be signed in as ${nameOfUser(link)} of the account ${nameOfAccount(link)}.`],
    form: { fields, buttons: { sign_in: 'Sign in' } },
    parts:
      connections.length === 0 ? [] : [{ title: 'Use this link to connect a provider', lines, forms: connections }],
  }
}

function providersOf({ services }: Runtime, { account_id }: Link) {
  return services.providers.all.filter(({ account }) => account === account_id)
}

function originOf(request_id: string): CommandOrigin {
  return { actor: { type: 'system' }, request_id }
}
