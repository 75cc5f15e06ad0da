/** `bourse webhooks listen`: a webhook for a developer whose receiver has no public address. */
import { createHmac, randomBytes } from 'node:crypto'
import { matchesFilters, refuseFilters } from '@bourse/api/webhooks/webhook-filters.ts'
import type { LogEvent } from '@bourse/sdk/follow.ts'
import { pause } from '@bourse/text/time/pause.ts'
import {
  eventBody,
  keyBytes,
  secretBytes,
  secretPrefix,
  shownSignature,
  showSecret,
  signatureVersions,
  signedContent,
  signedHeaders,
} from '@bourse/text/webhook-messages.ts'
import type { Command } from 'commander'
import { type CommandContext, type GlobalOptions, openSession, type Session } from '../input/session.ts'
import { readTime } from '../input/times.ts'
import { printsNoRows } from '../output/rows/without-rows.ts'
import { usageProblem } from '../output/usage.ts'

type ListenOptions = GlobalOptions & {
  forward?: string
  secret?: string
  since?: string
  actions?: string[]
  targetTypes?: string[]
  targets?: string[]
}

/** Where messages go, and with which secret. */
type Receiver = { readonly url: string; readonly secret: Uint8Array; readonly account: string }

const requestMilliseconds = 15_000
/** The waits between attempts: shorter than those of a webhook, since somebody is watching. */
const retryMilliseconds = [1_000, 5_000, 30_000]

/** Adds the command. */
export function addWebhooksListen(webhooks: Command, context: CommandContext): void {
  const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value]
  const command = printsNoRows(webhooks.command('listen'))
    .description(
      'Send events to a URL that only this computer reaches, as a webhook does, until you stop it. Messages are ' +
        'signed with a secret that is printed; they name your account and no webhook, and have no signature v1a. A ' +
        'failed message is sent again three times.',
    )
    .requiredOption('--forward <url>', 'URL of the receiver, such as http://localhost:3000/hook.')
    .option('--secret <secret>', 'Sign with this secret, `whsec_…`, instead of a new one.')
    .option('--since <time>', 'Start: -1h, 2026-01-31T12:00Z, now. Default now.')
    .option('--actions <action>', 'Only events with these actions, such as order.*. May be repeated.', collect)
    .option('--target-types <kind>', 'Only events about these kinds of resources. May be repeated.', collect)
    .option('--targets <id>', 'Only events about these ids. May be repeated.', collect)
    .addHelpText(
      'after',
      '\nExample:\n  $ bourse webhooks listen --forward http://localhost:3000/hook --actions order.*',
    )
  command.action(async () => {
    const options = command.optsWithGlobals<ListenOptions>()
    await listen(openSession(context, options), options)
  })
}

async function listen(session: Session, options: ListenOptions): Promise<void> {
  const { terminal, client, lookup } = session
  const { actions = [], targetTypes: target_types = [], targets = [] } = options
  const refusal = refuseFilters({ actions, target_types, targets })
  if (refusal) throw usageProblem(`${refusal.field}: ${refusal.message}`)
  const [url, secret] = [readUrl(options.forward ?? ''), readSecret(options.secret)]
  const receiver = { url, secret, account: (await lookup.account.get()).id }
  const since = await readTime(session, options.since ?? 'now')
  terminal.note(`Secret: ${showSecret(receiver.secret)}`)
  terminal.note(`Sending events to ${receiver.url}. Stop with Ctrl-C.`)
  const onGap = () => terminal.note('Events were lost: the last one is no longer kept.')
  for await (const event of client.events.follow({ filters: { since }, onGap })) {
    const [target] = event.targets
    if (!target) continue
    const about = { action: event.action, target_type: target.type, target_id: target.id }
    if (!matchesFilters({ actions, target_types, targets }, about)) continue
    // Like a webhook, a failing message does not hold back the next ones.
    if (!(await send(session, receiver, event, 1))) void retry(session, receiver, event)
  }
}

async function retry(session: Session, receiver: Receiver, event: LogEvent): Promise<void> {
  for (const [index, milliseconds] of retryMilliseconds.entries()) {
    await pause(milliseconds)
    if (await send(session, receiver, event, index + 2)) return
  }
  session.terminal.note(`${event.id} was given up after ${retryMilliseconds.length + 1} attempts.`)
}

/** Sends a message once, and prints what came of it. Returns whether it succeeded. */
async function send(session: Session, receiver: Receiver, event: LogEvent, attempt: number): Promise<boolean> {
  const timestamp = Math.floor(Date.now() / 1000)
  const { id, action, occurred_at } = event
  const addressee = { account: receiver.account, webhook: null }
  const body = eventBody(addressee, { action, occurred_at, json: JSON.stringify(event) })
  const message = { id, timestamp, body }
  const mac = createHmac('sha256', receiver.secret).update(signedContent(message)).digest('base64')
  const headers = signedHeaders(message, [shownSignature(signatureVersions.secret, mac)])
  const began = performance.now()
  let outcome: string
  let isDelivered = false
  try {
    const response = await fetch(receiver.url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(requestMilliseconds),
    })
    await response.body?.cancel()
    isDelivered = response.ok
    outcome = String(response.status)
  } catch (error) {
    const { message, cause } = error as Error
    outcome = ((cause as { code?: string } | undefined)?.code ?? message).slice(0, 100)
  }
  const took = `${Math.round(performance.now() - began)} ms`
  const again = attempt > 1 ? `, attempt ${attempt}` : ''
  session.terminal.data(`${outcome}  ${action}  ${event.targets[0]?.id ?? ''}  ${id}  (${took}${again})`)
  return isDelivered
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return text
  throw usageProblem(`"${text}" is not an http URL.`, 'Write --forward http://localhost:3000/hook.')
}

function readSecret(text: string | undefined): Uint8Array {
  if (text === undefined) return randomBytes(secretBytes)
  const bytes = keyBytes(secretPrefix, text)
  if (bytes) return bytes
  throw usageProblem('--secret takes whsec_ and base64.')
}
