/** Calls of SKUs, pools, images and networks, and of the platform's side of them. */

import { bytesOf, sendPart, sha256Of, uploadImage } from '../support/fixtures/images.ts'
import { type ContractCase, onOne } from './case.ts'
import { type ContractWorld, grantOf } from './world.ts'

const networks = '/preview/v2'

const image = ({ make, word }: ContractWorld) => make('/sandbox/images', { name: word() })
const sku = ({ operate }: ContractWorld) => operate('POST', '/preview/v2/admin/skus', {})
const firewall = ({ make }: ContractWorld) => make(`${networks}/firewalls`)
const subnet = ({ make }: ContractWorld) => make(`${networks}/subnets`, { region: 'north' })
const pool = ({ shared }: ContractWorld) => shared('pool')

async function partition({ make, shared }: ContractWorld) {
  await shared('sku')
  return make(`${networks}/infiniband_partitions`, { infiniband_fabric: 'fabric' })
}

const begun = ({ make }: ContractWorld) => make('/v2/images')
const someBytes = bytesOf(1000)

async function sentImage(world: ContractWorld) {
  const made = await begun(world)
  await sendPart({ server: world.server, token: world.account.token }, made.id, 1, someBytes)
  return made
}

function uploadedImage({ server, account }: ContractWorld) {
  return uploadImage({ server, token: account.token }, [someBytes])
}

async function revokedImage(world: ContractWorld) {
  const { id } = await image(world)
  return world.make(`/v2/images/${id}/revoke`)
}

function platformImage({ server, word }: ContractWorld, is_public: boolean) {
  return server.call('create_ready_image', { body: { name: word(), is_public } })
}

const publicImage = (world: ContractWorld) => platformImage(world, true)

async function revokedPublicImage(world: ContractWorld) {
  const { id } = await publicImage(world)
  return world.operate('POST', `/preview/v2/admin/images/${id}/revoke`)
}

async function retiredSku(world: ContractWorld) {
  const made = await sku(world)
  await world.operate('DELETE', `/preview/v2/admin/skus/${made.id}`)
  return made
}

async function overrideOf({ account, shared }: ContractWorld) {
  return { account: account.id, sku: (await shared('sku')).id }
}

/** A create whose workspace is named. */
function inWorkspace(body: object): ContractCase {
  return { names_in_body: true, call: ({ account }) => ({ body: { ...body, workspace: account.workspace_id } }) }
}

export const supplyCases = {
  get_sku: onOne(async ({ shared }) => ({ id: (await shared('sku')).id })),
  create_sku: { call: () => ({ body: {} }) },
  update_sku: onOne(sku, {}),
  retire_sku: onOne(sku),
  restore_sku: onOne(retiredSku),
  put_sku_property_value: {
    call: ({ word }) => ({ params: { property: 'region', name: word() }, body: { display_name: 'Somewhere' } }),
  },
  list_sku_overrides: { call: ({ account }) => ({ params: { account: account.id } }) },
  put_sku_override: { call: async (world) => ({ params: await overrideOf(world), body: { num_vcpus: 4 } }) },
  delete_sku_override: {
    call: async (world) => {
      const params = await overrideOf(world)
      const path = `/preview/v2/admin/accounts/${params.account}/sku_overrides/${params.sku}`
      await world.operate('PUT', path, { num_vcpus: 4 })
      return { params }
    },
  },
  get_pool: onOne(pool),
  delete_pool: onOne(({ make }) => make('/v2/pools')),
  create_read_only_pool: { call: async (world) => ({ body: await grantOf(world) }) },
  create_image: inWorkspace({}),
  create_image_part: onOne(begun, { part_id: 1 }),
  list_image_parts: onOne(sentImage),
  complete_image: onOne(sentImage, { sha256: sha256Of(someBytes) }),
  get_image_download: onOne(uploadedImage),
  get_image: onOne(image),
  revoke_image: onOne(image),
  reinstate_image: onOne(revokedImage),
  deprecate_image: onOne(image, {}),
  delete_image: onOne(image),
  publish_public_image: onOne((world) => platformImage(world, false)),
  revoke_public_image: onOne(publicImage),
  reinstate_public_image: onOne(revokedPublicImage),
  deprecate_public_image: onOne(publicImage, {}),
  create_firewall: inWorkspace({}),
  update_firewall: onOne(firewall, {}),
  replace_firewall_rules: onOne(firewall, { rules: [] }),
  delete_firewall: onOne(firewall),
  create_subnet: inWorkspace({ region: 'north' }),
  update_subnet: onOne(subnet, {}),
  delete_subnet: onOne(subnet),
  create_infiniband_partition: inWorkspace({ infiniband_fabric: 'fabric' }),
  update_infiniband_partition: onOne(partition, {}),
  delete_infiniband_partition: onOne(partition),
} satisfies Record<string, ContractCase>
