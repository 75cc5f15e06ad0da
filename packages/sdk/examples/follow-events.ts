/**
 * Prints every event of the account once, also across restarts: the cursor of the last one is stored in a file.
 *
 * Usage: node follow-events.ts [file]
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createClient } from '@bourse/sdk'

const file = process.argv[2] ?? 'cursor'
const client = createClient() // BOURSE_BASE_URL and BOURSE_API_TOKEN
const stopping = new AbortController()
process.once('SIGINT', () => stopping.abort())
process.once('SIGTERM', () => stopping.abort())

const events = client.events.follow({
  after: existsSync(file) ? readFileSync(file, 'utf8') : undefined,
  signal: stopping.signal,
  onGap: ({ now }) =>
    console.warn(`Events before ${new Date(now * 1000).toISOString()} are missing: read the resources.`),
})
for await (const event of events) {
  const targets = event.targets.map(({ id }) => id).join(', ')
  console.log(`${new Date(event.occurred_at * 1000).toISOString()} ${event.action} ${targets}`)
  // Stored only now: if the program is killed before, the event comes again and none is lost.
  writeFileSync(file, event.cursor)
}
