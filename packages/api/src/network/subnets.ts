import { endpoint } from '../kit/endpoint.ts'
import { namedChange, namedCreation, namedFilters, namedResource } from '../kit/named.ts'
import { idOrPath, integer, optional, pageOf, type Static, text } from '../kit/schema.ts'
import { propertyTextForm } from '../market/skus.ts'

const area = 'subnets'

const region = text({
  ...propertyTextForm,
  description: 'Region of the SKUs whose instances may use it, such as `us-west`.',
})

export const subnet = namedResource('subnet', {
  title: 'Subnet',
  description: 'A private network of one workspace in one region: its instances reach only each other.',
  own: {
    region,
    cidr: text({ max: 18, description: 'Its IPv4 network.' }),
    available_addresses: integer({ min: 0, description: 'How many addresses are free for instances.' }),
  },
})
export type Subnet = Static<typeof subnet>

const cidr = text({
  max: 18,
  pattern: '^[0-9./]+$',
  form: 'an IPv4 network, such as 10.80.0.0/20',
  code: 'invalid_cidr',
  examples: ['10.80.0.0/20', '172.16.4.0/22', '192.168.1.0/24'],
  description: 'Private IPv4 network of /16 to /28, such as 10.40.0.0/20. Default: the first free /20 of 10.64.0.0/10.',
})

const params = { id: idOrPath('subnet') }

export const createSubnet = endpoint({
  name: 'create_subnet',
  method: 'POST',
  path: '/preview/v2/subnets',
  area,
  summary: 'Create a subnet',
  description:
    'Creates a private network for the instances of one workspace in one region. Without `cidr` it gets the first ' +
    'free range; ranges of one workspace cannot overlap. Instances join it when they are created.',
  body: namedCreation({ region, cidr: optional(cidr) }),
  response: subnet,
  access: 'subnet:create',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  idempotent: true,
  errors: ['invalid_cidr', 'forbidden', 'name_taken', 'subnet_overlap', 'reference_not_found', 'limit_exceeded'],
})

export const listSubnets = endpoint({
  name: 'list_subnets',
  method: 'GET',
  path: '/preview/v2/subnets',
  area,
  summary: 'List subnets',
  description: 'Newest first, each with the number of its free addresses.',
  query: namedFilters('subnet', {
    prefix: 'snetc',
    own: {
      region: optional(text({ min: 1, max: 255, description: 'Only subnets of this region, such as `us-west`.' })),
    },
  }),
  response: pageOf(subnet, 'snetc'),
  access: 'subnet:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getSubnet = endpoint({
  name: 'get_subnet',
  method: 'GET',
  path: '/preview/v2/subnets/:id',
  area,
  summary: 'Get a subnet',
  description: 'Shows the range of a subnet and how many addresses are free.',
  params,
  response: subnet,
  access: 'subnet:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const updateSubnet = endpoint({
  name: 'update_subnet',
  method: 'PATCH',
  path: '/preview/v2/subnets/:id',
  area,
  summary: 'Change a subnet',
  description:
    'Renames a subnet or replaces all of its tags. Its region, its range and the addresses of instances stay.',
  params,
  body: namedChange,
  response: subnet,
  access: 'subnet:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  errors: ['forbidden', 'not_found', 'name_taken'],
})

export const deleteSubnet = endpoint({
  name: 'delete_subnet',
  method: 'DELETE',
  path: '/preview/v2/subnets/:id',
  area,
  summary: 'Delete a subnet',
  description: 'Refused with `in_use` while a template or a living instance uses it.',
  params,
  access: 'subnet:delete',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found', 'in_use'],
})

export const operations = [createSubnet, listSubnets, getSubnet, updateSubnet, deleteSubnet] as const
