/** The customer's account in the quickstart: workspaces, users and tokens, images in each state, firewalls. */
import type { Id } from '@bourse/api/kit/ids.ts'
import { createGrant } from '../../iam/access/grants.service.ts'
import { createRole } from '../../iam/access/roles.service.ts'
import { createUser } from '../../iam/accounts/users.service.ts'
import { createWorkspace } from '../../iam/accounts/workspaces.service.ts'
import { createToken } from '../../iam/tokens/tokens.service.ts'
import { addUnfinishedImage, administerImage, changeOwnImage } from '../../images/images.service.ts'
import { createFirewall } from '../../network/firewalls.service.ts'
import { customer } from '../world/seed-accounts.service.ts'
import { createReadyImage } from './images.service.ts'
import type { ScenarioContext } from './scenario-context.service.ts'
import { customerPlace, ownImage } from './scenario-market.service.ts'

/** The resources of the account that the instances use. */
export type SeededAccount = {
  readonly research: Id<'workspace'>
  readonly image: Id<'image'>
  readonly public_image: Id<'image'>
  readonly firewall: Id<'firewall'>
}

/** Seeds the customer's account. */
export async function seedAccount(context: ScenarioContext): Promise<SeededAccount> {
  const research = await addPeople(context)
  const images = await addImages(context)
  const firewall = await addFirewalls(context)
  return { research, ...images, firewall }
}

async function addPeople({ as, ids }: ScenarioContext): Promise<Id<'workspace'>> {
  const research = await as(customer.id, (ctx) => createWorkspace(ctx, { name: 'research' }))
  const staging = await as(customer.id, (ctx) => createWorkspace(ctx, { name: 'staging' }))
  const policy = {
    api_version: 'roles/v1' as const,
    description: 'Reads events and instances.',
    rules: [
      { effect: 'allow' as const, actions: { event: ['list' as const], instance: ['read' as const, 'list' as const] } },
    ],
  }
  const role = await as(customer.id, (ctx) => createRole(ctx, { name: 'auditor', policy }))
  const ada = await as(customer.id, (ctx) =>
    createUser(ctx, { email: 'ada@acme.example', name: 'ada', first_name: 'Ada', last_name: 'Adams' }),
  )
  const ben = await as(customer.id, (ctx) => createUser(ctx, { email: 'ben@acme.example', name: 'ben' }))
  const given = [
    { principal_type: 'user' as const, principal_id: ada.id, role: 'role_admin' as const },
    { principal_type: 'user' as const, principal_id: ben.id, role: role.id, workspace: research.id },
  ]
  for (const grant of given) await as(customer.id, (ctx) => createGrant(ctx, grant))
  const roles = ['role_operator' as const]
  const ci = await as(customer.id, (ctx) => createToken(ctx, { name: 'ci', roles, expires_at: null }))
  const reader = await as(customer.id, (ctx) => createToken(ctx, { name: 'dashboard', workspace: research.id }))
  Object.assign(ids, { workspace_research: research.id, workspace_empty: staging.id, role: role.id })
  Object.assign(ids, { user_admin: ada.id, user: ben.id, token_operator: ci.id, token_viewer: reader.id })
  return research.id
}

async function addImages(context: ScenarioContext): Promise<Pick<SeededAccount, 'image' | 'public_image'>> {
  const { as, ids, platform } = context
  const ready = (name: string) => as(platform, (ctx) => createReadyImage(ctx, { name, is_public: true }))
  const ubuntu = await ready('ubuntu-24.04')
  const debian = await ready('debian-12')
  const message = 'Use ubuntu-24.04.'
  await as(platform, (ctx) => administerImage(ctx, debian.id, 'deprecate', message))
  const image = await ownImage(context, 'trainer-2')
  const deprecated = await ownImage(context, 'trainer-1')
  await as(customer.id, (ctx) => changeOwnImage(ctx, deprecated, 'deprecate', 'Use trainer-2.'))
  const revoked = await ownImage(context, 'trainer-0')
  await as(customer.id, (ctx) => changeOwnImage(ctx, revoked, 'revoke'))
  for (const state of ['started', 'uploading', 'failed'] as const) {
    const made = await as(customer.id, (ctx) =>
      addUnfinishedImage(ctx, { ...customerPlace(ctx), name: `upload-${state}`, state }),
    )
    ids[`image_${state}`] = made.id
  }
  Object.assign(ids, { image, image_deprecated: deprecated, image_revoked: revoked })
  Object.assign(ids, { image_public: ubuntu.id, image_public_deprecated: debian.id })
  return { image, public_image: ubuntu.id }
}

async function addFirewalls({ as, ids }: ScenarioContext): Promise<Id<'firewall'>> {
  const anywhere = '0.0.0.0/0'
  const rules = [22, 80, 443].map((port_from) => ({ protocol: 'tcp' as const, port_from, source_cidr: anywhere }))
  const web = await as(customer.id, (ctx) => createFirewall(ctx, { name: 'web', rules, tags: { tier: 'front' } }))
  const spare = await as(customer.id, (ctx) => createFirewall(ctx, { name: 'spare', rules: rules.slice(0, 1) }))
  Object.assign(ids, { firewall: web.id, firewall_free: spare.id })
  return web.id
}
