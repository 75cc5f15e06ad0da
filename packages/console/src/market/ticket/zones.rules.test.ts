/** Times of the ticket and of the market's map in other zones, with clocks that are put forward and back. */
import { afterEach, beforeEach, describe } from 'vitest'

const { TZ: own } = process.env

afterEach(() => {
  if (own === undefined) delete process.env.TZ
  else process.env.TZ = own
})

describe.each(['Europe/Berlin', 'Asia/Kolkata'])('typed orders and tickets hold in %s', async (zone) => {
  beforeEach(() => {
    process.env.TZ = zone
  })
  // With a query, a file is evaluated again, and its tests belong to this group.
  await import(`./ticket.rules.test.ts?zone=${zone}`)
  await import(`./typed-order.rules.test.ts?zone=${zone}`)
})
