/**
 * Sign-in of programs without a browser, after RFC 8628: a program shows a code, a person who is signed in approves it,
 * the program gets a session of that person.
 */
import { createHash } from 'node:crypto'
import type { DeviceLogin, DeviceToken, startDeviceLogin as startContract } from '@bourse/api/iam/device-logins.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { Refusal, refuse } from '../../core/base/refusal.ts'
import { networksOf } from '../../core/http/rate-limits.ts'
import type { PlainRequest } from '../../core/http/request-context.ts'
import { type RequestSender, senderOf } from '../../core/http/transfer.ts'
import { plainCommand } from '../../core/work/command.ts'
import { type Caller, type Ctx, callerOf } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { requireRecentSignIn, requireUnfrozen, rightsOfCaller } from '../access/permissions.service.ts'
import { recordOwnAct } from '../audit/acts.service.ts'
import { recordSignIn } from '../audit/sign-ins.service.ts'
import { isAccountFrozen, lockAccount } from '../names/owners.service.ts'
import { endSessionsInAccount, endSessionsOf } from '../tokens/sessions.service.ts'
import {
  decidePoll,
  deviceLoginSeconds,
  drawUserCode,
  isFull,
  openLoginsMax,
  openMax,
  readUserCode,
  userCodeText,
} from './device-logins.rules.ts'
import {
  approveDeviceLogin,
  countOpenLogins,
  type DeviceLoginRow,
  denyDeviceLogin,
  findDeviceLogin,
  findOpenLogin,
  insertDeviceLogin,
  recordDevicePoll,
  removeDeviceLogin,
  removeExpiredLogins,
  removeLoginsIn,
  removeLoginsOf,
} from './device-logins.store.ts'
import { endLinksIn, endLinksOf, openSession, originByCaller } from './sign-in-links.service.ts'
import { guessersOfLogins } from './wrong-codes.rules.ts'
import { readGuesses, recordWrongCode } from './wrong-codes.service.ts'

declare module '../../core/work/services.ts' {
  interface Services {
    /** The most sign-ins of devices that may be open for one network. */
    readonly open_logins_max: number
  }
}

/** The path of the page on which a person approves, below the public URL. */
export const devicePath = '/device'

/** Seconds between two polls. Nobody but its user waits for a sandbox. */
const intervals = { production: 5, sandbox: 1 } as const
const drawsMax = 25

/** The most open requests of a network, for a server whose rates have this factor. */
export function openLoginsMaxOf(rateMultiplier: number): number {
  return openLoginsMax(rateMultiplier)
}

/** Begins the sign-in of a program. Refuses `rate_limited` if its network has too many open requests. */
export function startDeviceLogin(
  runtime: Runtime,
  { body }: Input<typeof startContract>,
  request: PlainRequest,
): Promise<DeviceLogin> {
  const sender = senderOf(request)
  return plainCommand(runtime, { ...originOf(request), unrecorded: 'nobody' }, async (ctx) => {
    const [network = '', wider] = networksOf(sender.address)
    await removeExpiredLogins(ctx.db, ctx.now)
    const open = await countOpenLogins(ctx.db, { network, wider, now: ctx.now, most: openMax })
    if (isFull(open, ctx.services.open_logins_max)) {
      const message = 'Too many programs wait to be signed in. Approve one, or try again in 10 minutes.'
      throw new Refusal({ code: 'rate_limited', message, retry_after_seconds: deviceLoginSeconds })
    }
    const secret = ctx.random.bytes(32)
    const interval_seconds = intervals[runtime.mode]
    const user_code = await insertWithCode(ctx, {
      device_hash: hashOf(secret),
      network,
      client_name: body.client_name ?? 'A program',
      ...sender,
      created_at: ctx.now,
      expires_at: ctx.now + deviceLoginSeconds,
      interval_seconds,
    })
    const verification_uri = `${ctx.public_url()}${devicePath}`
    return {
      device_code: secret.toString('base64url'),
      user_code: userCodeText(user_code),
      verification_uri,
      verification_uri_complete: `${verification_uri}?user_code=${userCodeText(user_code)}`,
      expires_in: deviceLoginSeconds,
      interval: interval_seconds,
    }
  })
}

/** Gives the program its session once a person has approved. Refuses with the codes of RFC 8628 until then. */
export async function finishDeviceLogin(
  runtime: Runtime,
  device_code: string,
  request: PlainRequest,
): Promise<DeviceToken> {
  // A refusal would roll the record of the poll back, so it is thrown after the commit.
  const outcome = await plainCommand(runtime, originOf(request), (ctx) => poll(ctx, device_code))
  if ('refusal' in outcome) throw new Refusal(outcome.refusal)
  return outcome
}

/** What a person is asked to approve. */
export type ShownLogin = Pick<DeviceLoginRow, 'user_code' | 'client_name' | 'device' | 'address'>

/** The request behind a code that a person typed; `limited` if the person has typed too many wrong ones. */
export async function findTypedLogin(
  ctx: Ctx,
  typed: string,
  sender: RequestSender,
): Promise<ShownLogin | 'limited' | undefined> {
  const code = readUserCode(typed)
  if (code === undefined) return undefined
  const guesses = await readGuesses(ctx, guessersOfLogins(personOf(callerOf(ctx))))
  if (guesses === 'limited') return 'limited'
  const found = await findOpenLogin(ctx.db, code, ctx.now)
  if (found) return found
  await recordRefusal(ctx, sender, 'not_found')
  await recordWrongCode(ctx, guesses)
  return undefined
}

/**
 * Approves a request in the name of the caller. The session of the program lasts longer than that of the browser, so
 * this refuses `insufficient_user_authentication` like the creation of a token, and `forbidden` in a frozen account.
 * False if the request is open no more.
 */
export async function approveLogin(
  ctx: Ctx,
  { user_code, ...asking }: ShownLogin,
  sender: RequestSender,
): Promise<boolean> {
  requireUnfrozen(ctx)
  requireRecentSignIn(ctx)
  const { account_id, user_id, authenticated_at } = personOf(callerOf(ctx))
  await lockAccount(ctx, account_id)
  const by = { account_id, user_id, authenticated_at, ...(await originByCaller(ctx)) }
  if (!(await approveDeviceLogin(ctx.db, { user_code, now: ctx.now, by }))) return false
  const { client_name, device, address } = asking
  const targets = [{ type: 'user', id: user_id }]
  recordOwnAct(ctx, { operation: 'approve_device_login', targets, sender, after: { client_name, device, address } })
  return true
}

/** Denies a request. The entry of the audit trail shows the program that asked. */
export async function denyLogin(ctx: Ctx, { user_code, ...sender }: ShownLogin): Promise<void> {
  await denyDeviceLogin(ctx.db, user_code, ctx.now)
  await recordRefusal(ctx, sender, 'access_denied')
}

/** Records that the person whose page this is did not let a program in, or may not. */
export async function recordRefusal(ctx: Ctx, sender: RequestSender, code: string): Promise<void> {
  const { account_id, user_id } = personOf(callerOf(ctx))
  await recordSignIn(ctx, { account_id, user_id, way: 'sign_in_by_device', sender, code })
}

/** Ends the sessions and links of a user, and what it has approved. */
export async function endAccessOf(ctx: Ctx, user_id: string): Promise<void> {
  await removeLoginsOf(ctx.db, user_id)
  await endLinksOf(ctx, user_id)
  await endSessionsOf(ctx, user_id)
}

/** Ends all sessions and links of an account, and what its users have approved. */
export async function endAccessIn(ctx: Ctx, account_id: string): Promise<void> {
  await removeLoginsIn(ctx.db, account_id)
  await endLinksIn(ctx, account_id)
  await endSessionsInAccount(ctx, account_id)
}

async function insertWithCode(ctx: Ctx, row: Omit<Parameters<typeof insertDeviceLogin>[1], 'user_code'>) {
  for (let draw = 0; draw < drawsMax; draw++) {
    const user_code = drawUserCode((below) => ctx.random.integer(below))
    if (await insertDeviceLogin(ctx.db, { ...row, user_code })) return user_code
  }
  throw new Error('No user code is free.')
}

type PollOutcome = DeviceToken | { readonly refusal: Refusal['data'] }

async function poll(ctx: Ctx, device_code: string): Promise<PollOutcome> {
  const device_hash = hashOf(Buffer.from(device_code, 'base64url'))
  const login = await findDeviceLogin(ctx.db, device_hash)
  const decision = decidePoll(login, ctx.now)
  if (!decision.is_approved) {
    if (login) await recordDevicePoll(ctx.db, device_hash, decision.interval_seconds)
    ctx.leaveUnrecorded('nobody')
    return { refusal: decision.refusal }
  }
  const opened = login && (await openApproved(ctx, login))
  if (!opened) ctx.leaveUnrecorded('nothing')
  return opened ?? over
}

const frozen: PollOutcome = {
  refusal: { code: 'access_denied', message: 'The account is frozen, so no program is let in.', field: 'device_code' },
}
const over: PollOutcome = { refusal: (decidePoll(undefined, 0) as { refusal: Refusal['data'] }).refusal }

/** Opens the session of an approved request, once; undefined if the user or the request has gone meanwhile. */
async function openApproved(ctx: Ctx, login: DeviceLoginRow): Promise<PollOutcome | undefined> {
  const { account_id, user_id, authenticated_at, client_name, device, address } = login
  if (account_id === null || user_id === null || authenticated_at === null) return undefined
  await lockAccount(ctx, account_id)
  // A deleted user has taken its approvals along.
  if (!(await removeDeviceLogin(ctx.db, login.device_hash))) return undefined
  const sender = { device: `${client_name} (${device})`.slice(0, 255), address }
  if (await isAccountFrozen(ctx, account_id)) {
    await recordSignIn(ctx, { account_id, user_id, way: 'sign_in_by_device', sender, code: 'access_denied' })
    return frozen
  }
  const place = { account_id, user_id, authenticated_at }
  const opened = await openSession(ctx, { ...place, use: 'program', sender, origin: login })
  if (opened) await recordSignIn(ctx, { ...opened, way: 'sign_in_by_device', sender })
  return opened && { access_token: opened.token, token_type: 'Bearer', expires_in: opened.seconds }
}

function personOf(caller: Caller): { account_id: string; user_id: Id<'user'>; authenticated_at: number } {
  const { user_id, authenticated_at } = rightsOfCaller(caller)
  if (user_id === null) refuse('forbidden', 'Only a person can sign in a program.')
  return { account_id: caller.account_id, user_id, authenticated_at: authenticated_at ?? 0 }
}

function originOf({ request_id }: PlainRequest) {
  return { actor: { type: 'system' as const }, request_id }
}

function hashOf(secret: Buffer): Buffer {
  return createHash('sha256').update(secret).digest()
}
