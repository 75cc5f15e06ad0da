/** Access in a browser: tokens shown once, who may do what, missing rights, and sessions that end elsewhere. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { leftOut } from '../../../test/left-out.ts'
import { sshKeyLine } from '../../server/test/support/fixtures/ssh-keys.ts'
import { checkPage, openStranger, visit, visitorOf } from './browser.ts'
import { skip } from './chromium.ts'

// The server and the browser stay for all tests of the file.
const visitor = skip ? (undefined as never) : await visit()
const page = skip ? (undefined as never) : await visitor.open('/access')

test(
  'a person is added with a role and a sign-in link that is shown once, and gets another role',
  leftOut(skip),
  async () => {
    await page.getByRole('button', { name: 'Add a person' }).click()
    await page.getByLabel('E-mail').fill('<b>eve</b>@example.com')
    await page.getByLabel('Name', { exact: true }).fill('eve')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add and make a link' }).click()
    await dialog.getByText(/\/sign-in\//).waitFor()
    // A key does not close what is shown once.
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    await dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    await checkPage(page, 'access-link')
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    assert.equal(await page.getByText(/\/sign-in\/[\w-]{20}/).count(), 0)
    await page.getByRole('row', { name: /^eve / }).getByText('<b>eve</b>@example.com').waitFor()
    await checkPage(page, 'access-people')
    await page.getByRole('tab', { name: 'Grants' }).click()
    await page.getByRole('row', { name: /eve user viewer the whole account/ }).waitFor()
    await page.getByRole('button', { name: 'Give a role' }).click()
    await dialog.getByLabel('Who').selectOption({ label: 'eve (<b>eve</b>@example.com)' })
    await dialog.getByLabel('Role').selectOption('role_operator')
    await dialog.getByLabel('Workspace').selectOption({ label: 'default' })
    await dialog.getByRole('button', { name: 'Give' }).click()
    await page.getByRole('row', { name: /eve user operator default/ }).waitFor()
    await page.getByRole('tab', { name: 'People' }).click()
    await page.getByRole('button', { name: 'Sign-in link for eve', exact: true }).click()
    await page.getByRole('button', { name: 'Make the link' }).click()
    await dialog.getByText(/\/sign-in\//).waitFor()
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
  },
)

test('people, grants and the trail are filtered, and another tab begins without filters', leftOut(skip), async () => {
  const own = await visitor.open('/access')
  const rows = own.getByRole('row')
  await rows.nth(2).waitFor()
  await own.getByLabel('Find by address').fill('<B>EVE</B>@example.com')
  await rows.nth(2).waitFor({ state: 'detached' })
  await own.getByRole('row', { name: /^eve / }).waitFor()
  await own.getByRole('tab', { name: 'Grants' }).click()
  await own.waitForURL((url) => url.search === '?tab=grants')
  await own.getByRole('row', { name: /admin/ }).first().waitFor()
  await own.getByLabel('Role').selectOption('role_viewer')
  await own.getByRole('row', { name: /admin/ }).first().waitFor({ state: 'detached' })
  await own
    .getByRole('row', { name: /eve user viewer/ })
    .first()
    .waitFor()
  await own.getByRole('tab', { name: 'Audit trail' }).click()
  await rows.nth(1).waitFor()
  await own.getByLabel('To, in UTC').fill('2001-01-01')
  await own.getByRole('heading', { name: 'No entry' }).waitFor()
  await own.close()
})

test('may this person cancel orders in research?', leftOut(skip), async () => {
  const { server, account } = visitor
  const { token } = account
  const workspace = await server.call('create_workspace', { token, body: { name: 'research' } })
  const { data } = await server.call('list_users', { query: { email: '<b>eve</b>@example.com' }, token })
  const eve = data[0].id
  const asked = await visitor.open(`/access?tab=rights&who=${eve}&in=${workspace.id}`)
  await asked.getByText('No: eve may not cancel orders in research.').waitFor()
  const body = { principal_type: 'user', principal_id: eve, role: 'role_trader', workspace: workspace.id } as const
  await server.call('create_grant', { token, body })
  await asked.reload()
  await asked.getByText('Yes: eve may cancel orders in research.').waitFor()
  await checkPage(asked, 'access-rights')
  await asked.getByLabel('Workspace').selectOption('')
  await asked.getByText('No: eve may not cancel orders in the whole account.').waitFor()
  await asked.getByLabel('Workspace').selectOption(workspace.id)
  await asked.getByLabel('May they').selectOption('pool:create')
  await asked.waitForURL((url) => url.searchParams.get('may') === 'pool:create')
  await asked.getByRole('tab', { name: 'Tokens' }).click()
  await asked.getByRole('tab', { name: 'Tokens', selected: true }).waitFor()
  assert.equal(new URL(asked.url()).search, '?tab=tokens')
  await asked.close()
})

test('a token is shown once, works, and ends', leftOut(skip), async () => {
  const { server } = visitor
  await page.getByRole('tab', { name: 'Tokens' }).click()
  await page.getByRole('button', { name: 'Create a token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('nightly')
  // Whoever is sent to sign in anew comes back to the same form.
  await page.reload()
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'nightly')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const snippet = await dialog.getByText('export BOURSE_API_TOKEN=').textContent()
  const token = /BOURSE_API_TOKEN=(\S+)/.exec(snippet ?? '')?.[1] as string
  await checkPage(page, 'access-token')
  assert.equal((await server.call('get_account', { token })).token.name, 'nightly')
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  assert.equal((await page.content()).includes(token), false)
  assert.equal(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }).includes('eyJ')), false)
  await page.getByRole('button', { name: 'End the token nightly' }).click()
  await dialog.getByLabel(/Also end all tokens/).check()
  await dialog.getByRole('button', { name: 'End the token' }).click()
  await page.getByRole('row', { name: /nightly/ }).waitFor({ state: 'detached' })
  assert.equal((await server.attempt('get_account', { token })).status, 401)
})

test('a person gets another name and another role', leftOut(skip), async () => {
  const dialog = page.getByRole('dialog')
  await page.getByRole('tab', { name: 'People' }).click()
  await page.getByRole('button', { name: 'Change eve', exact: true }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('not a name')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.locator('[aria-invalid="true"]').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('eve-2')
  await dialog.getByLabel('First name').fill('Eve')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /eve-2 .* Eve/ }).waitFor()
  await page.getByRole('button', { name: 'Roles of eve-2' }).click()
  const roles = dialog.getByRole('list', { name: 'Roles' })
  await roles.getByText('viewer in the whole account').waitFor()
  await dialog.getByLabel('Role', { exact: true }).selectOption('role_billing')
  await dialog.getByRole('button', { name: 'Give the role' }).click()
  await roles.getByText('billing in the whole account').waitFor()
  await dialog.getByRole('button', { name: 'Take away viewer' }).click()
  await roles.getByText('viewer in the whole account').waitFor({ state: 'detached' })
  await checkPage(page, 'access-person-roles', /status of 400/)
  await dialog.getByRole('button', { name: 'Close' }).click()
})

test('the last admin stays, and why is said', leftOut(skip), async () => {
  const { server } = visitor
  const account = await server.account()
  const { token } = account
  const own = await visitorOf(server, account).open('/access?tab=grants')
  await own
    .getByRole('button', { name: /^Take away admin from/ })
    .nth(1)
    .waitFor()
  const { data } = await server.call('list_grants', { token })
  const grant = data.find((one) => one.principal_type === 'token')
  await server.call('delete_grant', { params: { id: grant.id }, token })
  await own.reload()
  await own.getByRole('button', { name: /^Take away admin from/ }).click()
  const dialog = own.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Take away' }).click()
  await dialog.getByText('Without this admin nobody could give rights in the account.').waitFor()
  await checkPage(own, 'access-last-admin', /status of 4(00|09)/)
})

/** The verbs that a row of a matrix allows, as it is read aloud. */
async function allowedIn(matrix: Locator, kind: string): Promise<string> {
  const cells = await matrix
    .getByRole('row', { name: new RegExp(`^${kind}`) })
    .getByRole('cell')
    .allTextContents()
  const verbs = await matrix.getByRole('columnheader').allTextContents()
  return verbs
    .slice(1)
    .filter((_, index) => cells[index] === 'yes')
    .join(' ')
}

test('a role is a matrix of rights that is made with the keyboard, and changed', leftOut(skip), async () => {
  await page.getByRole('tab', { name: 'Roles' }).click()
  const admin = page.getByRole('table', { name: 'Rights of admin' })
  await admin.waitFor()
  assert.equal(await allowedIn(admin, 'everything'), 'create read list write delete')
  await checkPage(page, 'access-roles', /status of 400/)
  await page.getByRole('button', { name: 'Create a role' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('canceller')
  const box = (name: string) => dialog.getByRole('checkbox', { name, exact: true })
  // The matrix is one stop, in which arrows move.
  await box('everything on every kind').focus()
  for (const key of ['ArrowDown', 'ArrowRight', 'End', 'Space', 'Home', 'Space', 'Space'])
    await page.keyboard.press(key)
  await box('everything on workspace').and(page.locator(':focus')).waitFor()
  await box('delete order').check()
  await box('everything on order').and(page.locator(':indeterminate')).waitFor()
  await checkPage(page, 'access-role', /status of 400/)
  await dialog.getByRole('button', { name: 'Create' }).click()
  const matrix = page.getByRole('table', { name: 'Rights of canceller' })
  await matrix.waitFor()
  assert.equal(await allowedIn(matrix, 'order'), 'delete')
  assert.equal(await matrix.getByRole('row').count(), 2)
  await page.getByRole('region', { name: 'Role canceller' }).getByRole('button', { name: 'Change' }).click()
  await box('read order').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await eventually('the role allows both', async () => (await allowedIn(matrix, 'order')) === 'read delete')
})

test('who may not create tokens sees which right is missing, and who can give it', leftOut(skip), async () => {
  const viewer = await signedIn('viewer')
  await viewer.goto(`${visitor.server.url}/console/access?tab=tokens&create=1`)
  await viewer.getByLabel('Name').fill('mine')
  await viewer.getByRole('button', { name: 'Create', exact: true }).click()
  await viewer.getByText('What is missing: the right token:create, to create tokens.').waitFor()
  await viewer.getByText(/These admins can give it: \S/).waitFor()
  await viewer.goto(`${visitor.server.url}/console/network?tab=firewalls`)
  await viewer.getByRole('button', { name: 'Create a firewall' }).first().click()
  const dialog = viewer.getByRole('dialog')
  await dialog.getByLabel('Name').fill('mine')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.getByText('What is missing: the right firewall:create').waitFor()
  await dialog.getByText(/These admins can give it: \S/).waitFor()
})

test(
  'who may not read events is not left with old orders: they are read at their own pace',
  leftOut(skip),
  async () => {
    const { server, account } = visitor
    const rules = [{ effect: 'allow', actions: { order: ['read', 'list'] } }] as const
    const body = { name: 'watcher', policy: { api_version: 'roles/v1', rules } } as const
    const { id } = await server.call('create_role', { token: account.token, body })
    const watcher = await signedIn('watcher', id)
    await watcher.clock.install()
    const read = watcher.waitForResponse((one) => one.url().endsWith('/v2/permissions'))
    // Open orders have an interval of their own.
    await watcher.goto(`${server.url}/console/orders?view=past`)
    await read
    await watcher.getByRole('heading', { name: 'No order' }).waitFor()
    let asked = 0
    watcher.on('request', (one) => {
      if (one.url().includes('/v2/events')) asked += 1
    })
    const again = watcher.waitForRequest((one) => one.url().includes('/v2/orders?'))
    await watcher.clock.fastForward(20_000)
    await again
    assert.equal(asked, 0)
    assert.equal(await watcher.getByText('The server cannot be reached').count(), 0)
  },
)

test('the menu of the account leads to the sessions, and closes', leftOut(skip), async () => {
  const own = await visitor.open('/orders')
  await own.getByRole('button', { name: /^Account of/ }).click()
  const link = own.getByRole('link', { name: 'Sessions and passkeys' })
  await link.click()
  await own.getByRole('tab', { name: 'Your sessions', selected: true }).waitFor()
  assert.equal(await link.isVisible(), false)
})

test('a session that ended elsewhere leads to the sign-in, and back to the same page', leftOut(skip), async () => {
  const other = await signedIn('viewer')
  await other.goto(`${visitor.server.url}/console/access?tab=sessions`)
  const row = other.getByRole('row', { name: /this one/ })
  await row.getByText('Chrome on Linux').waitFor()
  const { server, account } = visitor
  const { data } = await server.call('list_users', { token: account.token })
  // The newest person is the one of this browser.
  const { id } = data[0]
  await server.call('end_user_sessions', { params: { id }, token: account.token })
  await other.getByRole('tab', { name: 'Tokens' }).click()
  await other.waitForURL((url) => url.pathname === '/sign_in')
  // The page may have heard of it before the click.
  assert.match(new URL(other.url()).searchParams.get('return_to') ?? '', /^\/console\/access\?tab=(tokens|sessions)$/)
})

test('a session ends with what was made in it', leftOut(skip), async () => {
  const { server, account } = visitor
  const { token } = account
  const other = await signedIn('admin')
  const write = { method: 'POST', headers: { 'content-type': 'application/json', 'x-bourse-request': '1' }, body: '{}' }
  const made: any = await other.evaluate(async (init) => (await fetch('/preview/v2/tokens', init)).json(), write)
  await other.goto(`${server.url}/console/access?tab=sessions`)
  await other
    .getByRole('row', { name: /this one/ })
    .getByRole('button', { name: /^End the session/ })
    .click()
  await checkPage(other, 'access-end-session')
  const dialog = other.getByRole('dialog')
  await dialog.getByLabel(/Also end what was made in it/).check()
  await dialog.getByRole('button', { name: 'End the session' }).click()
  await other.waitForURL((url) => url.pathname === '/sign_in')
  assert.equal((await server.attempt('get_token', { params: { id: made.id }, token })).status, 404)
})

/** Another person of the account, with one role, in a browser of their own. */
async function signedIn(role: string, id = `role_${role}`): Promise<Page> {
  const { server, account } = visitor
  const { token } = account
  const email = `${role}-${crypto.randomUUID().slice(0, 8)}@example.com`
  const user = await server.call('create_user', { token, body: { email } })
  const body = { principal_type: 'user', principal_id: user.id, role: id } as const
  await server.call('create_grant', { token, body })
  const { url } = await server.call('create_user_sign_in_link', { params: { id: user.id }, token })
  const other = await openStranger(server.url + new URL(url).pathname)
  await other.getByRole('button', { name: /^Sign in/ }).click()
  await other.waitForURL((at) => !at.pathname.startsWith('/sign_in'))
  return other
}

/** The line of an RSA key of a size in bits. */
function rsaLine(bits: number): string {
  const { n = '', e = '' } = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' })
  const withLength = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(Uint32Array.of(bytes.length).buffer).swap32(), bytes])
  const numbers = [e, n].map((text) => Buffer.from(text, 'base64url'))
  const signed = numbers.map((bytes) => ((bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes))
  const parts = [Buffer.from('ssh-rsa'), ...signed].map(withLength)
  return `ssh-rsa ${Buffer.concat(parts).toString('base64')} ada@laptop`
}

/** What is no key, with what is said of it at its field. */
const noKeys: readonly (readonly [text: string, said: string])[] = [
  ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n', 'This is a private key. It was not stored.'],
  [rsaLine(1024), 'has 1024 bits, which is too weak'],
  [`ssh-ed25519-cert-v01@openssh.com ${'A'.repeat(400)} ada`, 'This is a certificate'],
  [`ssh-ed25519 ${'A'.repeat(20_000)} ada`, 'at most 8,192 characters'],
]

test('an SSH key is added and deleted; what is none is refused at its field, and not sent', leftOut(skip), async () => {
  const { server, account } = visitor
  const { token } = account
  const own = await visitor.open('/access?tab=ssh-keys')
  await own.getByRole('heading', { name: 'No SSH key' }).waitFor()
  await own.getByRole('button', { name: 'Add an SSH key' }).first().click()
  const dialog = own.getByRole('dialog', { name: 'Add an SSH key' })
  const field = dialog.getByLabel('Public key')
  let sent = 0
  own.on('request', (one) => {
    if (one.method() === 'POST' && one.url().includes('/ssh_keys')) sent += 1
  })
  for (const [text, said] of noKeys) {
    await field.fill(text)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.locator('textarea[aria-invalid=true]:focus').waitFor()
    await dialog.getByText(said).waitFor()
    assert.ok(!String(await dialog.locator('pre').textContent()).includes(text.slice(0, 40)), said)
  }
  assert.equal(sent, 0)
  assert.equal((await server.call('list_ssh_keys', { token })).data.length, 0)
  await checkPage(own, 'access-key-refused')
  await field.fill(sshKeyLine('ada', 'ada@laptop'))
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const row = own.getByRole('row', { name: /ada@laptop .* ssh-ed25519 SHA256:/ })
  await row.waitFor()
  // A key exists once in an account.
  await own.getByRole('button', { name: 'Add an SSH key' }).click()
  await field.fill(sshKeyLine('ada', 'other'))
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await own.getByRole('button', { name: 'Delete the key ada@laptop' }).click()
  const end = own.getByRole('dialog', { name: 'Delete the key ada@laptop?' })
  await end.getByText('No machine has it.').waitFor()
  await end.getByRole('button', { name: 'Delete the key' }).click()
  await own.getByRole('heading', { name: 'No SSH key' }).waitFor()
})

test('whoever has no role sees one page that says so, and the pages once there is one', leftOut(skip), async () => {
  const { server, account } = visitor
  const { token } = account
  const user = await server.call('create_user', { token, body: { email: 'new@example.com' } })
  const { url } = await server.call('create_user_sign_in_link', { params: { id: user.id }, token })
  const other = await openStranger(server.url + new URL(url).pathname)
  await other.getByRole('button', { name: /^Sign in/ }).click()
  await other.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor()
  await other.getByText('and have no role yet').waitFor()
  assert.equal(await other.getByRole('alert').count(), 0)
  await checkPage(other, 'access-no-role', /status of 403/)
  await other.getByRole('link', { name: 'your SSH keys' }).click()
  await other.getByRole('heading', { name: 'No SSH key' }).waitFor()
  await other.goBack()
  await other.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor()
  const body = { principal_type: 'user', principal_id: user.id, role: 'role_viewer' } as const
  await server.call('create_grant', { token, body })
  await other.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
})

test('a file has all entries of the trail, also those that are not shown yet', leftOut(skip), async () => {
  const { server, account } = visitor
  const { token } = account
  const { id } = await server.call('create_pool', { token, body: {} })
  for (let n = 0; n < 104; n++) await server.call('update_pool', { params: { id }, token, body: { name: `pool-${n}` } })
  const trail = await visitor.open(`/access?tab=audit&target=${id}`)
  await trail
    .getByRole('row', { name: /update_pool/ })
    .first()
    .waitFor()
  await trail.getByText(/^100\+ rows/).waitFor()
  const [download] = await Promise.all([
    trail.waitForEvent('download'),
    trail.getByRole('button', { name: 'CSV', exact: true }).click(),
  ])
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  assert.equal(lines.length, 1 + 105)
})

test('the audit trail shows who did what, and what a change changed', leftOut(skip), async () => {
  const { server, account } = visitor
  const { token } = account
  const { id } = await server.call('create_pool', { token, body: { name: 'before' } })
  await server.call('update_pool', { params: { id }, token, body: { name: 'after' } })
  const trail = await visitor.open(`/access?tab=audit&target=${id}`)
  await trail.getByRole('row', { name: /create_pool/ }).waitFor()
  await trail.getByRole('row', { name: /update_pool/ }).click()
  await trail.getByRole('dialog').getByRole('row', { name: 'name "before" "after"' }).waitFor()
  await checkPage(trail, 'access-audit')
  await trail.keyboard.press('Escape')
  await trail.getByLabel('Outcome').selectOption('refused')
  await trail.getByRole('heading', { name: 'No entry' }).waitFor()
  await trail.close()
})
