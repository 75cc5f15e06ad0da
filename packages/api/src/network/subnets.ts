import { endpoint } from '../kit/endpoint.ts'
import {
  constant,
  createdAt,
  givenName,
  id,
  idOrPath,
  integer,
  name,
  newName,
  nullable,
  object,
  ofThis,
  onlyThis,
  optional,
  ownWorkspace,
  pageOf,
  pageParameters,
  path,
  repeated,
  resource,
  type Static,
  tags,
  text,
  updatedAt,
} from '../kit/schema.ts'
import { workspaceSummary } from '../kit/summaries.ts'
import { tagFilters } from '../kit/tags.ts'
import { propertyTextForm } from '../market/skus.ts'

const area = 'subnets'

const region = text({
  ...propertyTextForm,
  description: 'Region of the SKUs whose instances may use it, such as `us-west`.',
})

export const subnet = resource(
  'Subnet',
  'A private network of one workspace in one region: its machines reach only each other.',
  {
    object: constant('subnet'),
    id: id('subnet'),
    resource_path: path('subnet'),
    workspace: workspaceSummary,
    name: name(),
    region,
    cidr: text({ max: 18, description: 'Its IPv4 network.' }),
    available_addresses: integer({ min: 0, description: 'How many addresses are free for instances.' }),
    tags: nullable(tags()),
    created_at: createdAt,
    updated_at: updatedAt,
  },
)
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
  summary: 'Create a subnet.',
  body: object({
    name: optional(givenName()),
    workspace: optional(ownWorkspace()),
    region,
    cidr: optional(cidr),
    tags: optional(tags()),
  }),
  response: subnet,
  access: 'subnet:create',
  idempotent: true,
  errors: ['invalid_cidr', 'forbidden', 'name_taken', 'subnet_overlap', 'reference_not_found', 'limit_exceeded'],
})

export const listSubnets = endpoint({
  name: 'list_subnets',
  method: 'GET',
  path: '/preview/v2/subnets',
  area,
  summary: 'List subnets, newest first.',
  query: {
    ...pageParameters('snetc'),
    workspace: optional(idOrPath('workspace', ofThis('workspace'))),
    id: repeated(idOrPath('subnet', onlyThis)),
    region: optional(text({ min: 1, max: 255, description: 'Only subnets of this region, such as `us-west`.' })),
    ...tagFilters,
  },
  response: pageOf(subnet, 'snetc'),
  access: 'subnet:list',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getSubnet = endpoint({
  name: 'get_subnet',
  method: 'GET',
  path: '/preview/v2/subnets/:id',
  area,
  summary: 'Read one subnet.',
  params,
  response: subnet,
  access: 'subnet:read',
  errors: ['forbidden', 'not_found'],
})

export const updateSubnet = endpoint({
  name: 'update_subnet',
  method: 'PATCH',
  path: '/preview/v2/subnets/:id',
  area,
  summary: 'Rename a subnet or replace its tags.',
  params,
  body: object({ name: optional(newName()), tags: optional(nullable(tags())) }),
  response: subnet,
  access: 'subnet:write',
  errors: ['forbidden', 'not_found', 'name_taken'],
})

export const deleteSubnet = endpoint({
  name: 'delete_subnet',
  method: 'DELETE',
  path: '/preview/v2/subnets/:id',
  area,
  summary: 'Delete a subnet that neither a template nor a living instance refers to.',
  params,
  access: 'subnet:delete',
  errors: ['forbidden', 'not_found', 'in_use'],
})

export const operations = [createSubnet, listSubnets, getSubnet, updateSubnet, deleteSubnet] as const
