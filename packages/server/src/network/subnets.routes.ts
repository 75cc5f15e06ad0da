import { createSubnet, deleteSubnet, getSubnet, listSubnets, updateSubnet } from '@bourse/api/network/subnets.ts'
import { handle } from '../core/http/routes.ts'
import * as subnets from './subnets.service.ts'

export const subnetRoutes = [
  handle(createSubnet, (ctx, { body }) => subnets.createSubnet(ctx, body)),
  handle(listSubnets, (ctx, { query }) => subnets.listSubnets(ctx, query)),
  handle(getSubnet, (ctx, { params }) => subnets.getSubnet(ctx, params.id)),
  handle(updateSubnet, (ctx, { params, body }) => subnets.updateSubnet(ctx, params.id, body)),
  handle(deleteSubnet, (ctx, { params }) => subnets.deleteSubnet(ctx, params.id)),
]
