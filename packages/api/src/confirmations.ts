/**
 * Which operations a person is asked about before they are sent. Clients with a person in front of them (the command
 * line, a console) read this table, so that they ask about the same operations.
 */
import { endpoints, type OperationName } from './contract.ts'
import type { Consequence, Endpoint } from './kit/endpoint.ts'

/** The operations to ask about. */
export const confirmations: Readonly<Partial<Record<OperationName, Consequence>>> = Object.fromEntries(
  (endpoints as readonly Endpoint[]).flatMap(({ name, consequence }) => (consequence ? [[name, consequence]] : [])),
)
