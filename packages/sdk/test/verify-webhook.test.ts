import assert from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { eventBody, shownSignature, signedContent, signedHeaders } from '@bourse/text/webhook-messages.ts'
import { Webhook } from 'standardwebhooks'
import { test } from 'vitest'
import { createClient } from '../src/client.ts'
import { type WebhookVerificationCode, WebhookVerificationError } from '../src/errors.ts'
import { type VerifyOptions, verifyWebhook } from '../src/verify-webhook.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const { privateKey } = generateKeyPairSync('ed25519')
const publicKey = keyOf(createPublicKey(privateKey).export({ format: 'jwk' }).x as string)
const otherKey = keyOf(createPublicKey(generateKeyPairSync('ed25519').privateKey).export({ format: 'jwk' }).x as string)
const body = eventBody(
  { account: 'acme', webhook: 'whk_1' },
  { action: 'order.filled', occurred_at: 1_795_392_000, json: '{"object":"event","id":"evt_1","ü":1}' },
)
const id = 'evt_1'
const expected = { account: 'acme' }

function keyOf(x: string): string {
  return `whpk_${Buffer.from(x, 'base64url').toString('base64')}`
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}

function messageOf(timestamp = now(), secrets = [secret], sent = body): Record<string, string> {
  const message = { id, timestamp, body: sent }
  const content = Buffer.from(signedContent(message))
  const macs = secrets.map((one) => createHmac('sha256', Buffer.from(one.slice('whsec_'.length), 'base64')))
  return signedHeaders(message, [
    ...macs.map((mac) => shownSignature('v1', mac.update(content).digest('base64'))),
    shownSignature('v1a', sign(null, content, privateKey).toString('base64')),
  ])
}

test('a message is verified by its secret and by the public key', async () => {
  const { webhooks } = createClient({ token: 'a.b.c', baseUrl: 'http://127.0.0.1:1' })
  for (const keys of [secret, publicKey, [otherSecret, publicKey], [otherKey, secret]]) {
    const message = await webhooks.verify(messageOf(), body, keys, expected)
    assert.deepEqual(message, { id, ...JSON.parse(body) })
  }
})

test('headers may come from fetch or from Node, and bodies as bytes', async () => {
  const shouted = Object.fromEntries(Object.entries(messageOf()).map(([name, value]) => [name.toUpperCase(), [value]]))
  for (const headers of [new Headers(messageOf()), shouted]) {
    assert.equal((await verifyWebhook(headers, Buffer.from(body), secret, expected)).id, id)
  }
})

test('the reference implementation verifies our messages, and we verify its', async () => {
  const reference = new Webhook(secret)
  assert.deepEqual(reference.verify(body, messageOf()), JSON.parse(body))
  const date = new Date(now() * 1000)
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(now()),
    'webhook-signature': reference.sign(id, date, body),
  }
  assert.equal((await verifyWebhook(headers, body, secret, expected)).type, 'order.filled')
})

test('during a rotation either secret verifies', async () => {
  const headers = messageOf(now(), [otherSecret, secret])
  for (const key of [secret, otherSecret]) assert.equal((await verifyWebhook(headers, body, key, expected)).id, id)
  new Webhook(secret).verify(body, headers)
})

test('everything that is not the signed message is refused', async () => {
  const good = messageOf()
  const [v1 = '', v1a = ''] = (good['webhook-signature'] as string).split(' ')
  const flip = (text: string) => text.slice(0, 10) + (text[10] === 'A' ? 'B' : 'A') + text.slice(11)
  const cases: [string, Record<string, string | undefined>, string, string | string[]][] = [
    ['other body', good, `${body} `, secret],
    ['other id', { ...good, 'webhook-id': 'evt_2' }, body, secret],
    ['other time', { ...good, 'webhook-timestamp': String(now() + 1) }, body, [secret, publicKey]],
    ['other secret', good, body, otherSecret],
    ['other key', good, body, otherKey],
    ['changed v1', { ...good, 'webhook-signature': flip(v1) }, body, secret],
    ['changed v1a', { ...good, 'webhook-signature': flip(v1a) }, body, publicKey],
    ['v1 for v1a', { ...good, 'webhook-signature': v1.replace('v1,', 'v1a,') }, body, publicKey],
    ['v1a for v1', { ...good, 'webhook-signature': v1a.replace('v1a,', 'v1,') }, body, secret],
    ['no version', { ...good, 'webhook-signature': v1.replace('v1,', '') }, body, secret],
    ['empty', { ...good, 'webhook-signature': 'v1,' }, body, secret],
    ['no signature', { ...good, 'webhook-signature': undefined }, body, secret],
    ['no id', { ...good, 'webhook-id': undefined }, body, secret],
    ['no time', { ...good, 'webhook-timestamp': undefined }, body, secret],
    ['no number', { ...good, 'webhook-timestamp': '1e9' }, body, secret],
    ['no key', good, body, 'secret'],
    ['empty key', good, body, 'whsec_'],
    ['no base64', good, body, 'whsec_???'],
    ['no keys', good, body, []],
  ]
  for (const [what, headers, sent, keys] of cases) {
    await assert.rejects(() => verifyWebhook(headers, sent, keys, expected), WebhookVerificationError, what)
  }
})

test('a genuine message for another account or of another webhook is refused, each with its code', async () => {
  const refusedAs = async (code: WebhookVerificationCode, options: VerifyOptions) => {
    for (const key of [secret, publicKey]) {
      await assert.rejects(() => verifyWebhook(messageOf(), body, key, options), { code })
    }
  }
  await refusedAs('other_account', { account: 'globex' })
  await refusedAs('other_account', { account: 'globex', webhook: 'whk_1' })
  await refusedAs('other_webhook', { account: 'acme', webhook: 'whk_2' })
  await refusedAs('missing_account', { account: '' })
  await refusedAs('missing_account', undefined as unknown as VerifyOptions)
  const { account, webhook } = await verifyWebhook(messageOf(), body, publicKey, { account: 'acme', webhook: 'whk_1' })
  assert.deepEqual({ account, webhook }, { account: 'acme', webhook: 'whk_1' })
})

test('a genuine message that names no account, or is no object, is refused', async () => {
  for (const [sent, code] of [
    ['{"type":"order.filled"}', 'unaddressed'],
    ['null', 'invalid_body'],
    ['1', 'invalid_body'],
    ['{', 'invalid_body'],
  ] as const) {
    const headers = messageOf(now(), [secret], sent)
    await assert.rejects(() => verifyWebhook(headers, sent, secret, expected), { code }, sent)
  }
})

test('who changes the account of a message makes its signatures invalid', async () => {
  const changed = body.replace('"acme"', '"globex"')
  for (const key of [secret, publicKey]) {
    await assert.rejects(() => verifyWebhook(messageOf(), changed, key, { account: 'globex' }), {
      code: 'invalid_signature',
    })
  }
})

test('a message outside the tolerance is refused, in both directions', async () => {
  const code = 'outside_tolerance'
  for (const seconds of [-301, 302]) {
    await assert.rejects(() => verifyWebhook(messageOf(now() + seconds), body, secret, expected), { code })
  }
  for (const seconds of [-298, 298]) await verifyWebhook(messageOf(now() + seconds), body, secret, expected)
  await verifyWebhook(messageOf(now() - 3000), body, secret, { ...expected, tolerance: 4000 })
  const strict = { ...expected, tolerance: 10 }
  await assert.rejects(() => verifyWebhook(messageOf(now() - 20), body, secret, strict), /clock/)
})
