/** The faults that the bar offers, as requests. Pure. The API has more options. */
import type { CreateFaultBody } from '@bourse/sdk'

/** A kind of fault: its name, what it does, and the one value that it asks for. */
export type FaultChoice = { readonly title: string; readonly hint: string; readonly asks?: string }

/** Faults by their kind. */
export const faultKinds: Readonly<Record<string, FaultChoice>> = {
  http_latency: { title: 'Slow responses', hint: 'Ten requests get their response two seconds later.' },
  http_error: { title: 'Failing requests', hint: 'Three requests get a response with status 503.' },
  connection_cut: {
    title: 'Broken connections',
    hint: 'Three requests are carried out, and their connection breaks before the response.',
  },
  database_down: { title: 'No database', hint: 'The database cannot be reached for ten seconds.' },
  market_halt: { title: 'Halted market', hint: 'No orders and no matching for ten minutes of the clock.' },
  host_silent: { title: 'Silent host', hint: 'A host stops reporting; its instances run on.', asks: 'Host id' },
  host_crash: {
    title: 'Crashed host',
    hint: 'A host is lost with its instances, then it comes back.',
    asks: 'Host id',
  },
  instance_unhealthy: {
    title: 'Unhealthy instance',
    hint: 'The host of an instance reports it as unhealthy; it becomes failed.',
    asks: 'Instance id',
  },
  preempt: { title: 'Preempted instance', hint: 'Enough allocation is sold to end an instance.', asks: 'Instance id' },
}

/** The request for a fault, with the value that it asks for. */
export function faultBody(kind: string, value: string): CreateFaultBody {
  const fields: Readonly<Record<string, Partial<CreateFaultBody>>> = {
    http_latency: { milliseconds: 2_000, times: 10 },
    http_error: { status: 503, times: 3 },
    connection_cut: { moment: 'after', times: 3 },
    database_down: { for_seconds: 10 },
    market_halt: { for_seconds: 600 },
    host_silent: { host: value as NonNullable<CreateFaultBody['host']> },
    host_crash: { host: value as NonNullable<CreateFaultBody['host']> },
    instance_unhealthy: { instance: value as NonNullable<CreateFaultBody['instance']> },
    preempt: { instance: value as NonNullable<CreateFaultBody['instance']> },
  }
  return { kind, ...fields[kind] } as CreateFaultBody
}
