import {
  createFirewall,
  deleteFirewall,
  getFirewall,
  listFirewalls,
  replaceFirewallRules,
  updateFirewall,
} from '@bourse/api/network/firewalls.ts'
import { handle } from '../core/http/routes.ts'
import * as firewalls from './firewalls.service.ts'

export const firewallRoutes = [
  handle(createFirewall, (ctx, { body }) => firewalls.createFirewall(ctx, body)),
  handle(listFirewalls, (ctx, { query }) => firewalls.listFirewalls(ctx, query)),
  handle(getFirewall, (ctx, { params }) => firewalls.getFirewall(ctx, params.id)),
  handle(updateFirewall, (ctx, { params, body }) => firewalls.updateFirewall(ctx, params.id, body)),
  handle(replaceFirewallRules, (ctx, { params, body }) => firewalls.replaceFirewallRules(ctx, params.id, body.rules)),
  handle(deleteFirewall, (ctx, { params }) => firewalls.deleteFirewall(ctx, params.id)),
]
