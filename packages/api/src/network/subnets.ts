import { endpoint } from '../kit/endpoint.ts'
import {
  constant,
  id,
  idOrPath,
  integer,
  name,
  nullable,
  object,
  optional,
  pageOf,
  pageParameters,
  path,
  repeated,
  resource,
  type Static,
  tags,
  text,
  timestamp,
} from '../kit/schema.ts'
import { workspaceSummary } from '../kit/summaries.ts'
import { tagFilters } from '../kit/tags.ts'
import { propertyText } from '../market/skus.ts'

const area = 'subnets'

/** A private network of one workspace in one region: its machines reach only each other. */
export const subnet = resource('Subnet', {
  object: constant('subnet'),
  id: id('subnet'),
  resource_path: path('subnet'),
  workspace: workspaceSummary,
  name: name(),
  region: propertyText,
  cidr: text({ max: 18, description: 'IPv4 network.' }),
  available_addresses: integer({ min: 0 }),
  tags: nullable(tags()),
  created_at: timestamp(),
  updated_at: timestamp(),
})
export type Subnet = Static<typeof subnet>

const cidr = text({
  max: 18,
  pattern: '^[0-9./]+$',
  form: 'an IPv4 network, such as 10.80.0.0/20',
  code: 'invalid_cidr',
  examples: ['10.80.0.0/20', '172.16.4.0/22', '192.168.1.0/24'],
  description: 'Private IPv4 network of prefix length 16 to 28; default the first free /20 of 10.64.0.0/10.',
})

const params = { id: idOrPath('subnet') }

export const createSubnet = endpoint({
  name: 'create_subnet',
  method: 'POST',
  path: '/preview/v2/subnets',
  area,
  summary: 'Create a subnet.',
  body: object({
    name: optional(name()),
    workspace: optional(idOrPath('workspace')),
    region: propertyText,
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
    workspace: optional(idOrPath('workspace')),
    id: repeated(idOrPath('subnet')),
    region: optional(text({ min: 1, max: 255, description: 'Only subnets of this region.' })),
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
  body: object({ name: optional(name()), tags: optional(nullable(tags())) }),
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
