/** A follower of an account's event log. It begins again where it gets 410. */
import assert from 'node:assert/strict'
import type { ReplicaAccount } from '../../events/replicas.ts'

export type Follower = {
  /** Reads up to a number of pages, each from one of the servers. Errors of an unavailable database end it. */
  read(pages: number): Promise<void>
  /** Reads until there is nothing more. */
  drain(): Promise<void>
  /** The ids of the events since its last beginning. */
  readonly received: string[]
  /** How often it got 410, and whether it ever received an event that it has to forget. */
  readonly tally: { gone: number; forgotten: number }
}

const pageSize = 7

/** Follows an account. `urlOf` chooses the server of each request, which `send` sends. */
export function followAccount({ token }: ReplicaAccount, urlOf: () => string, send: typeof fetch = fetch): Follower {
  const received: string[] = []
  const tally = { gone: 0, forgotten: 0 }
  let cursor: string | undefined
  const readPage = async (): Promise<'more' | 'end' | 'unavailable'> => {
    const after = cursor === undefined ? '' : `&starting_after=${cursor}`
    const url = `${urlOf()}/preview/v2/events?limit=${pageSize}${after}`
    const response = await send(url, { headers: { authorization: `Bearer ${token}` } })
    const body: any = await response.json()
    if (response.status === 503) return 'unavailable'
    if (response.status === 410) {
      assert.match(body.error.message, /lost the newest events/)
      tally.gone += 1
      tally.forgotten += received.length
      received.length = 0
      cursor = undefined
      return 'more'
    }
    assert.equal(response.status, 200, JSON.stringify(body))
    received.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.cursor ?? cursor
    return body.has_more ? 'more' : 'end'
  }
  return {
    received,
    tally,
    read: async (pages) => {
      for (let page = 0; page < pages; page++) if ((await readPage()) !== 'more') return
    },
    drain: async () => {
      for (let response = await readPage(); response !== 'end'; response = await readPage()) {
        assert.notEqual(response, 'unavailable')
      }
    },
  }
}
