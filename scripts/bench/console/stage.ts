// A server with a signed-in browser, and the rows that measurements in it become.
import type { Browser, BrowserContext } from 'playwright-core'
import { signInLink } from '../../../packages/console/test/chromium.ts'
import { makeImage, makeSku } from '../../../packages/server/test/support/fixtures/fleet.ts'
import type { TestAccount, TestServer } from '../../../packages/server/test/support/server.ts'

/** A signed-in browser at a server with something to show. */
export type Stage = {
  readonly server: TestServer
  readonly account: TestAccount
  readonly context: BrowserContext
  /** Creates an instance by the API. */
  create(name: string): Promise<{ id: string }>
}

/** Opens a stage with one instance, named `first`. */
export async function openStage(server: TestServer, browser: Browser): Promise<Stage> {
  const account = await server.account({ trust_level: 'partner' })
  const context = await browser.newContext()
  await signIn(context, server, account)
  const sku = await makeSku(server)
  const image = await makeImage(server, account)
  const { token } = account
  const pool = await server.call('create_pool', { token, body: { name: 'bench' } })
  const create = (name: string) =>
    server.call('create_instance', { token, body: { name, sku, image: image.id, pool: pool.id } })
  await create('first')
  return { server, account, context, create }
}

/** Signs an admin of the account in. */
export async function signIn(context: BrowserContext, server: TestServer, account: TestAccount): Promise<void> {
  const page = await context.newPage()
  await page.goto(await signInLink(server, account))
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign_in'))
  await page.close()
}
