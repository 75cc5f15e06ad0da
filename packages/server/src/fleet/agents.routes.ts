import {
  appendInstanceLogs,
  enrolHost,
  getDesiredState,
  redeemUserDataTicket,
  reportHost,
} from '@bourse/api/fleet/agent.ts'
import { handle, handleAgent, handleQuestion } from '../core/routes.ts'
import * as agents from './agents.service.ts'
import { appendLogs } from './instance-logs.service.ts'

/** What agents ask; on every server, in production and in a sandbox. */
export const agentRoutes = [
  handle(enrolHost, (ctx, { body }) => agents.enrolHost(ctx, body)),
  handleQuestion(getDesiredState, (runtime, { query }, request) => agents.awaitDesired(runtime, query, request)),
  handleAgent(reportHost, (ctx, { body }, agent) => agents.report(ctx, body, agent)),
  handleAgent(redeemUserDataTicket, agents.redeemTicket, { reads: true }),
  handleAgent(appendInstanceLogs, appendLogs),
]
