/**
 * Works in small steps for as long as an instance may run. At a notice of its end it stores how far it came, so that
 * the next instance goes on from there; if the notice is withdrawn, it works on.
 *
 * Usage: node preemption-safe-worker.ts <instance> [file]
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Event, type InstanceId } from '@bourse/sdk'

const instance = process.argv[2] as InstanceId
const file = process.argv[3] ?? 'checkpoint'
const client = createClient()
const ended = new AbortController()
let step = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
let isNoticed = typeof (await client.instances.explain(instance)).termination?.notice_at === 'number'

/** Whether an event ends the work for good. */
function handle(event: Event): boolean {
  if (event.action === 'instance.termination_imminent') {
    isNoticed = true
    writeFileSync(file, String(step))
    console.log(`notice: stored step ${step}`)
  }
  if (event.action === 'instance.termination_withdrawn') {
    isNoticed = false
    console.log('the notice is withdrawn')
  }
  return event.action === 'instance.terminated' || event.action === 'instance.failed'
}

async function watch(): Promise<void> {
  for await (const event of client.events.follow({ filters: { target: instance }, signal: ended.signal })) {
    if (handle(event)) ended.abort()
  }
}

const watching = watch()
console.log(`at step ${step}`)
while (!ended.signal.aborted) {
  if (!isNoticed) step += 1 // Do a step of the work here: one that may be repeated.
  await pause(20)
}
await watching
console.log('the instance has ended')
