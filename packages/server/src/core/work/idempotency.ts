/**
 * Idempotency keys. A command inserts the key's row first, in the transaction of its work, so a concurrent request with
 * the same key waits for the outcome. A look-up before the insert would let both requests do the work.
 */

import { Refusal } from '../base/refusal.ts'
import { storedResponseSeconds } from '../base/stored-responses.ts'
import { type Db, statement } from '../db/db.ts'
import type { AskedRight } from './ctx.ts'

/** One use of a key. The fingerprint is a keyed hash over operation, path and canonical body as sent. */
export type Claim = {
  readonly account_id: string
  readonly operation: string
  readonly key: string
  readonly fingerprint: Buffer
}

/** The response to the call that first used a key. */
export type StoredResponse = {
  readonly fingerprint: Buffer
  readonly status: number
  readonly body: string
  readonly asked: readonly AskedRight[]
}

const insertKey = statement<{ claimed: number }>(
  'core.insert_key',
  `insert into idempotency_keys (account_id, operation, key, fingerprint, token_id)
   values ($1, $2, $3, $4, $5)
   on conflict do nothing
   returning 1 as claimed`,
)
const insertKeys = statement<{ account_id: string; operation: string; key: string }>(
  'core.insert_keys',
  `insert into idempotency_keys (account_id, operation, key, fingerprint, token_id)
   select k.account_id, k.operation, k.key, decode(k.fingerprint, 'hex'), k.token_id
   from jsonb_to_recordset($1::jsonb) as k(account_id text, operation text, key text, fingerprint text, token_id text)
   order by k.account_id, k.operation, k.key
   on conflict do nothing
   returning account_id, operation, key`,
)
const removeKeys = statement<never>(
  'core.remove_keys',
  `delete from idempotency_keys i
   using jsonb_to_recordset($1::jsonb) as k(account_id text, operation text, key text)
   where i.account_id = k.account_id and i.operation = k.operation and i.key = k.key`,
)
const updateKey = statement<never>(
  'core.update_key',
  `update idempotency_keys
   set status = $4, body = $5, asked = $6, created_at = $7
   where account_id = $1 and operation = $2 and key = $3`,
)
const updateKeys = statement<never>(
  'core.update_keys',
  `update idempotency_keys i
   set status = k.status, body = k.body, asked = k.asked, created_at = $2
   from jsonb_to_recordset($1::jsonb) as k(
     account_id text, operation text, key text, status integer, body text, asked jsonb)
   where i.account_id = k.account_id and i.operation = k.operation and i.key = k.key`,
)
const findKey = statement<StoredResponse>(
  'core.find_key',
  `select fingerprint, status, body, asked
   from idempotency_keys
   where account_id = $1 and operation = $2 and key = $3`,
)
const removeOldKeys = statement<never>(
  'core.remove_old_keys',
  `delete from idempotency_keys
   where (account_id, operation, key) in (
     select account_id, operation, key
     from idempotency_keys
     where created_at < $1
     order by created_at
     limit $2)`,
)
const findOldKey = statement<{ found: boolean }>(
  'core.find_old_key',
  'select exists (select from idempotency_keys where created_at < $1) as found',
)

/** Claims the key; returns false where an earlier request has committed under it. */
export async function claimKey(db: Db, claim: Claim, origin: { caller?: { token_id: string } }): Promise<boolean> {
  const params = [claim.account_id, claim.operation, claim.key, claim.fingerprint, origin.caller?.token_id ?? null]
  try {
    return (await db.row(insertKey, params)) !== undefined
  } catch (error) {
    throw duplicateRefusal(error)
  }
}

/** A text that identifies a claim within a batch. */
export function keyNameOf({ account_id, operation, key }: Claim): string {
  return `${account_id} ${operation} ${key}`
}

/** Claims several keys in one statement; returns the names of the claims that succeeded. */
export async function claimKeys(
  db: Db,
  wanted: readonly { claim: Claim; token_id: string | undefined }[],
): Promise<Set<string>> {
  if (wanted.length === 0) return new Set()
  const rows = wanted.map(({ claim, token_id }) => ({
    account_id: claim.account_id,
    operation: claim.operation,
    key: claim.key,
    fingerprint: claim.fingerprint.toString('hex'),
    token_id: token_id ?? null,
  }))
  try {
    const claimed = await db.rows(insertKeys, [JSON.stringify(rows)])
    return new Set(claimed.map((row) => keyNameOf(row as Claim)))
  } catch (error) {
    throw duplicateRefusal(error)
  }
}

/** Finds the committed responses under several keys, by the names of the claims. */
export async function findStoredResponses(db: Db, claims: readonly Claim[]): Promise<Map<string, StoredResponse>> {
  const found = new Map<string, StoredResponse>()
  for (const claim of claims) {
    const stored = await findStoredResponse(db, claim)
    if (stored) found.set(keyNameOf(claim), stored)
  }
  return found
}

/** Deletes the claims of refused requests, so that their keys can be used again. */
export function removeClaims(db: Db, claims: readonly Claim[]): Promise<number> {
  const rows = claims.map(({ account_id, operation, key }) => ({ account_id, operation, key }))
  return db.run(removeKeys, [JSON.stringify(rows)])
}

/** Stores the response under the claimed key. Sent together with the COMMIT. */
export function storeResponse(
  db: Db,
  claim: Claim,
  response: { status: number; body: string },
  asked: readonly AskedRight[],
  now: number,
): Promise<number> {
  const { account_id, operation, key } = claim
  return db.run(updateKey, [account_id, operation, key, response.status, response.body, JSON.stringify(asked), now])
}

/** The response that is stored under one key. */
export type NewStoredResponse = {
  readonly claim: Claim
  readonly response: { readonly status: number; readonly body: string }
  readonly asked: readonly AskedRight[]
}

/** Stores the responses under several claimed keys. Sent together with the COMMIT. */
export function storeResponses(db: Db, kept: readonly NewStoredResponse[], now: number): Promise<number> {
  const rows = kept.map(({ claim: { account_id, operation, key }, response, asked }) => {
    return { account_id, operation, key, ...response, asked }
  })
  return db.run(updateKeys, [JSON.stringify(rows), now])
}

/** Finds the committed response under a key. */
export function findStoredResponse(db: Db, claim: Claim): Promise<StoredResponse | undefined> {
  return db.row(findKey, [claim.account_id, claim.operation, claim.key])
}

/** Whether any key has expired. */
export async function hasOldKeys(db: Db, now: number): Promise<boolean> {
  return (await db.row(findOldKey, [now - storedResponseSeconds]))?.found ?? false
}

/** Deletes expired keys, the oldest first; returns their number. */
export function forgetOldKeys(db: Db, now: number, most: number): Promise<number> {
  return db.run(removeOldKeys, [now - storedResponseSeconds, most])
}

/** Converts the lock timeout of a claim to a refusal; returns every other error unchanged. */
function duplicateRefusal(error: unknown): unknown {
  if ((error as { code?: string }).code !== '55P03') return error
  return new Refusal({
    code: 'idempotency_key_in_use',
    field: 'Idempotency-Key',
    message: 'The first request with this key is still running.',
    retry_after_seconds: 1,
  })
}
