/** Runs reads. They get the ctx of a command, without a transaction; every writing member of it throws. */

import { isRefusal } from '../base/refusal.ts'
import { isUnavailable, unavailable } from '../db/db.ts'
import { isTornRead } from '../db/torn-read.ts'
import { inSpans } from '../trace/tracing.ts'
import type { Ctx } from './ctx.ts'
import type { Runtime } from './runtime.ts'
import { databaseSpan } from './transaction.ts'
import type { CommandOrigin } from './writing.ts'

function noWriting(): never {
  throw new Error('A query changes nothing.')
}

const tries = 3

/** Runs one read on the shared connections. Repeats it where a concurrent change made it a torn read. */
export async function query<T>(runtime: Runtime, origin: CommandOrigin, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inSpans([origin.span], { name: 'read', attributes: databaseSpan }, () =>
        readOnce(runtime, origin, work),
      )
    } catch (error) {
      if (!isTornRead(error) || attempt === tries) throw error
    }
  }
}

async function readOnce<T>(runtime: Runtime, origin: CommandOrigin, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  try {
    const { now } = await runtime.services.readSnapshot()
    const ctx: Ctx = {
      db: origin.caller ? runtime.database.readerOf(origin.caller.account_id) : runtime.database.reader,
      now,
      caller: origin.caller,
      actor: origin.actor,
      request_id: origin.request_id,
      log: runtime.log,
      random: runtime.random,
      keys: runtime.keys,
      public_url: runtime.public_url,
      services: runtime.services,
      blobs: runtime.blobs,
      asked: [],
      newId: noWriting,
      emit: noWriting,
      record: noWriting,
      leaveUnrecorded: () => {},
      schedule: noWriting,
      publish: noWriting,
      unschedule: noWriting,
      attempt: noWriting,
      onFinish: noWriting,
      deferWrite: noWriting,
      lock: noWriting,
      lockRows: noWriting,
      referrers: (target, id, limit) => runtime.referrers(ctx, target, id, limit),
    }
    return await work(ctx)
  } catch (error) {
    if (!isRefusal(error) && isUnavailable(error)) throw unavailable(error)
    throw error
  }
}
