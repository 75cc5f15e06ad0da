/**
 * The way to a provider and back. What was agreed on is in a cookie of the browser that began, so the answer to the
 * sign-in of one browser signs in no other.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { setStep, stepOf } from '../../core/http/credentials.ts'
import type { TransferRequest, TransferResponse } from '../../core/http/transfer.ts'
import { plainCommand } from '../../core/work/command.ts'
import type { Caller } from '../../core/work/ctx.ts'
import { query } from '../../core/work/query.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import type { HtmlPage } from '../people/pages.rules.ts'
import { baseOf, foreignPage, pageResponse, readForm, signInPath } from '../people/pages.service.ts'
import {
  type AttemptOf,
  isSameText,
  type ProviderAttempt,
  providerSeconds,
  type SignInReturn,
} from '../people/sign-in-attempts.rules.ts'
import { newAttemptId, openAttempt, sealAttempt } from '../people/sign-in-attempts.service.ts'
import { recordFailedAtProvider } from '../providers/provider-acts.service.ts'
import { isProviderError, type PersonClaims, type ProviderFailure } from '../providers/provider-clients.service.ts'
import type { SignInProvider } from '../providers/provider-settings.rules.ts'
import {
  type Returned,
  type SignInProblem,
  signInFromProvider,
  subjectOf,
} from '../providers/provider-sign-in.service.ts'
import { enterFromElsewhere, purposeQuery, readBefore, readPurpose } from './entries.service.ts'

/** The paths of a provider, below the public URL. */
export const providerPath = `${signInPath}/oidc/:provider`
export const callbackPath = `${providerPath}/callback`

/** The page of a link that opens nothing any more. */
export const pageOfUsedLink: HtmlPage = {
  title: 'This link is no longer valid',
  lines: ['A sign-in link works once, for 15 minutes. Ask for another one where you got this one.'],
  parts: [
    {
      lines: [
        'Whoever has a token makes a new one: an admin for a user of the account, the platform operator for an ' +
          'account whose people all lost theirs. In a sandbox, the next start prints new ones.',
      ],
      code: ['bourse users sign-in-link USER', 'bourse accounts sign-in-link ACCOUNT USER', 'bourse start'],
    },
  ],
}

const back = 'Begin again. If it stays so, ask whoever runs this server; its log has the reason.'
const pages: Readonly<Record<ProviderFailure | SignInProblem | 'unbound', HtmlPage & { readonly status: number }>> = {
  unreachable: {
    status: 502,
    title: 'The provider does not answer',
    lines: ['Nobody was signed in. Try again later, or use another way in. Whoever is signed in stays so.'],
  },
  declined: { status: 403, title: 'The provider did not sign you in', lines: ['It may have asked, and you refused.'] },
  invalid: { status: 403, title: 'The answer of the provider is not valid', lines: ['Nobody was signed in.', back] },
  unbound: {
    status: 403,
    title: 'This sign-in did not begin in this browser',
    lines: ['Or it took longer than 10 minutes, or another one began since. Begin again.'],
  },
  used: { status: 403, title: 'This sign-in was used already', lines: ['Begin again.'] },
  unknown: {
    status: 403,
    title: 'Nobody here is known by this identity',
    lines: ['Ask an admin of your account for a sign-in link, open it, and connect the provider there.'],
  },
  other_user: {
    status: 403,
    title: 'This is somebody else',
    lines: ['You were asked to sign in again as the user that you are. Sign out first to be somebody else.'],
  },
  old: {
    status: 403,
    title: 'The provider did not ask you to sign in again',
    lines: ['Or it does not say when you did. Use a passkey, a recovery code or a sign-in link. Nothing has changed.'],
  },
  undated: {
    status: 403,
    title: 'You cannot sign in again by this provider',
    lines: [
      'It does not say when people sign in. Use a passkey, a recovery code or a sign-in link. Nothing has changed.',
    ],
  },
  taken: {
    status: 409,
    title: 'This identity belongs to another user',
    lines: ['Nothing was connected. Remove the identity from the other user first. The link is still good.'],
  },
  link_over: { status: 410, ...pageOfUsedLink },
  frozen: {
    status: 403,
    title: 'This account is frozen',
    lines: ['Only people whom it knows from this provider can sign in. A link is still good.'],
  },
  no_account: { status: 403, title: 'The account of this provider does not exist', lines: [back] },
  full: {
    status: 403,
    title: 'The account cannot have this user, or the user no further identity',
    lines: ['An admin of the account sees its limits, and can remove an identity. A link is still good.'],
  },
  over: { status: 403, title: 'Nobody was signed in', lines: [back] },
}

/** Begins a sign-in at a provider. */
export async function goToProvider(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  // Otherwise another site could begin it.
  if (!transfer.is_same_origin) return pageResponse(runtime, 403, foreignPage)
  const provider = runtime.services.providers.find(String(transfer.params.provider))
  if (!provider) return pageResponse(runtime, 404, missing)
  const purpose = readPurpose((await readForm(transfer)) ?? new URLSearchParams())
  return beginAtProvider(runtime, transfer, { provider, purpose, ...(await readBefore(transfer, purpose)), link: null })
}

/** What somebody signs in at a provider for. */
type Begin = {
  readonly provider: SignInProvider
  readonly purpose: SignInReturn
  readonly before: Caller | undefined
  readonly only: string | undefined
  readonly link: string | null
}

/**
 * Sends a browser to a provider. By a page that goes on by itself: after a form, browsers follow redirects only to
 * where the form may be sent, and providers send people on to addresses that nobody here knows.
 */
export async function beginAtProvider(
  runtime: Runtime,
  { request_id }: TransferRequest,
  { provider, purpose, before, only, link }: Begin,
): Promise<TransferResponse> {
  const { random, keys } = runtime
  const secret = () => random.bytes(32).toString('base64url')
  const agreed = { state: secret(), nonce: secret(), verifier: secret() }
  const { return_to = null } = purpose
  const facts: ProviderAttempt = {
    kind: 'provider',
    provider: provider.name,
    ...agreed,
    return_to,
    link,
    is_step_up: purpose.is_step_up,
    user_id: only ?? null,
    replaces: before?.token_id ?? null,
  }
  try {
    const options = { redirect_uri: `${runtime.public_url()}${pathOf(provider)}`, is_step_up: purpose.is_step_up }
    const next = await runtime.services.providers.addressOf(provider, agreed, options)
    const { now } = await runtime.services.readSnapshot()
    const attempt = { ...facts, id: newAttemptId(runtime), expires_at: now + providerSeconds }
    const kept = setStep('provider', sealAttempt({ keys, random }, attempt), providerSeconds, runtime)
    const parts = [{ links: [{ href: next, label: `Continue to ${provider.name}` }] }]
    const page = { title: `Going to ${provider.name}`, lines: [], parts, next }
    return pageResponse(runtime, 200, page, ['Set-Cookie', kept])
  } catch (error) {
    return answerFailure(runtime, { request_id, provider, purpose }, error)
  }
}

/** Takes what a browser brings back from a provider. */
export async function returnFromProvider(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  const { params, request_id, sender } = transfer
  const provider = runtime.services.providers.find(String(params.provider))
  if (!provider) return pageResponse(runtime, 404, missing)
  const kept = stepOf('provider', { headers: transfer.headers }, runtime)
  const attempt = await query(runtime, originOf(request_id), async (ctx) => openAttempt(ctx, 'provider', kept))
  const answered = new URLSearchParams(transfer.query)
  if (!attempt || !isAnswerTo(attempt, provider, answered))
    return problem(runtime, 'unbound', { provider, purpose: noPurpose })
  const purpose = { return_to: attempt.return_to ?? undefined, is_step_up: attempt.is_step_up }
  try {
    const url = new URL(`${runtime.public_url()}${pathOf(provider)}?${transfer.query}`)
    const claims = await runtime.services.providers.read(provider, attempt, url)
    // The session cookie does not come along: the request is one of the provider's site.
    const replaces = attempt.replaces === null ? undefined : { token_id: attempt.replaces }
    const outcome = await plainCommand(runtime, originOf(request_id), async (ctx) => {
      const found = await signInFromProvider(ctx, { provider, claims, attempt }, { sender, replaces })
      if (typeof found === 'string') ctx.leaveUnrecorded('refused')
      return found
    })
    if (typeof outcome === 'string') {
      await recordFailure(runtime, transfer, { attempt, provider, claims })
      const { issuer, subject } = claims
      runtime.log.info(
        { request_id, provider: provider.name, issuer, subject, outcome },
        'A provider signed nobody in.',
      )
      return problem(runtime, outcome, { request_id, provider, purpose })
    }
    const entry = { opened: outcome, way: `the provider ${provider.name}`, return_to: purpose.return_to }
    return enterFromElsewhere(runtime, transfer, entry, forget(runtime))
  } catch (error) {
    if (isProviderError(error)) await recordFailure(runtime, transfer, { attempt, provider, claims: undefined })
    return answerFailure(runtime, { request_id, provider, purpose }, error)
  }
}

const missing: HtmlPage = { title: 'There is no such provider', lines: ['Begin again at the page of all ways in.'] }
const noPurpose: SignInReturn = { return_to: undefined, is_step_up: false }

/** Whether an answer is that to an attempt: of its provider, with its state. The library checks the rest. */
function isAnswerTo(attempt: AttemptOf<'provider'>, provider: SignInProvider, answered: URLSearchParams): boolean {
  const states = answered.getAll('state')
  return attempt.provider === provider.name && states.length === 1 && isSameText(states[0] as string, attempt.state)
}

type FailedReturn = Pick<Returned, 'attempt' | 'provider'> & { readonly claims: PersonClaims | undefined }

/** Adds a failed sign-in to the audit trail of the account, at most as often as an address may fail. */
async function recordFailure(
  runtime: Runtime,
  { sender, request_id, takeFailure }: TransferRequest,
  { attempt, provider, claims }: FailedReturn,
): Promise<void> {
  if (!takeFailure()) return
  const subject = claims && subjectOf(provider, claims)
  const failed = { account_id: provider.account, subject, asked: attempt.user_id as Id<'user'> | null, sender }
  await query(runtime, originOf(request_id), (ctx) => recordFailedAtProvider(ctx, failed))
}

type FailedProviderAttempt = {
  readonly provider: SignInProvider
  readonly purpose: SignInReturn
  readonly request_id: string
}

/** A page about a failure that the log has shows the id of its request. Undefined: the log has nothing. */
type ProblemPlace = Omit<FailedProviderAttempt, 'request_id'> & { readonly request_id?: string }

function answerFailure(
  runtime: Runtime,
  { request_id, provider, purpose }: FailedProviderAttempt,
  error: unknown,
): TransferResponse {
  if (!isProviderError(error)) throw error
  const facts = { request_id, provider: provider.name, failure: error.failure, reason: error.message }
  runtime.log.warn(facts, 'A sign-in at a provider failed.')
  return problem(runtime, error.failure, { request_id, provider, purpose })
}

function problem(
  runtime: Runtime,
  name: keyof typeof pages,
  { request_id, provider, purpose }: ProblemPlace,
): TransferResponse {
  const { status, ...page } = pages[name]
  const href = `${baseOf(runtime)}${signInPath}${purposeQuery(purpose, provider.name)}`
  const lines = ['Whoever runs this server finds this request in its log by its id:']
  const logged = request_id === undefined ? [] : [{ lines, code: [request_id] }]
  const parts = [...(page.parts ?? []), { links: [{ href, label: 'All ways in' }] }, ...logged]
  return pageResponse(runtime, status, { ...page, parts }, forget(runtime))
}

function forget(runtime: Runtime): readonly string[] {
  return ['Set-Cookie', setStep('provider', '', 0, runtime)]
}

function pathOf({ name }: SignInProvider): string {
  return callbackPath.replace(':provider', name)
}

function originOf(request_id: string) {
  return { actor: { type: 'system' as const }, request_id }
}
