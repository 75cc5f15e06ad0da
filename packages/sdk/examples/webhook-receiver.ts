/**
 * Receives the messages of a webhook, verifies them, and handles each once.
 *
 * Usage: WEBHOOK_ACCOUNT=acme WEBHOOK_SECRET=whsec_… node webhook-receiver.ts [port]
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook, WebhookVerificationError } from '@bourse/sdk'

const secret = process.env.WEBHOOK_SECRET ?? ''
/** The id of your account, as `bourse whoami` shows it: genuine messages for others are refused. */
const account = process.env.WEBHOOK_ACCOUNT ?? ''
const port = Number(process.argv[2] ?? 3000)
/** Keep the ids where you keep what you do about the messages: a message may come twice. */
const handled = new Set<string>()

const server = createServer(async (request, response) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    // The bytes as they came, not JSON that was parsed and printed again.
    const { id, type } = await verifyWebhook(request.headers, Buffer.concat(chunks), secret, { account })
    if (!handled.has(id)) console.log(`${type} ${id}`)
    handled.add(id)
    response.writeHead(204).end()
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    response.writeHead(400).end(error.message)
  }
})
server.listen(port, '127.0.0.1', () => console.log(`listening on ${(server.address() as AddressInfo).port}`))
