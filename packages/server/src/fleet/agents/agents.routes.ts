import {
  appendInstanceLogs,
  declareTunnel,
  enrolHost,
  getDesiredState,
  redeemUserDataTicket,
  reportHost,
} from '@bourse/api/fleet/agent.ts'
import { reportHardware } from '@bourse/api/fleet/agent-hardware.ts'
import { reportBenchmark } from '@bourse/api/fleet/benchmarks.ts'
import { handle, handleAgent, handleLongPoll, handleRuntime } from '../../core/http/routes.ts'
import { recordBenchmark } from '../hardware/host-benchmarks.service.ts'
import * as agents from './agents.service.ts'
import { awaitDesired } from './desired-state.service.ts'
import { appendLogs } from './instance-logs.service.ts'

/** The endpoints of the agent protocol, in production and in a sandbox. */
export const agentRoutes = [
  handle(enrolHost, (ctx, { body }) => agents.enrolHost(ctx, body), { secret: agents.permitSecret }),
  handleLongPoll(getDesiredState, (runtime, { query }, request) => awaitDesired(runtime, query, request)),
  handleRuntime(reportHost, (runtime, { body }, request) => agents.report(runtime, body, request)),
  handleAgent(declareTunnel, agents.declareTunnel),
  handleAgent(reportHardware, agents.reportHardware),
  handleAgent(reportBenchmark, recordBenchmark),
  handleAgent(redeemUserDataTicket, agents.redeemTicket),
  handleAgent(appendInstanceLogs, appendLogs),
]
