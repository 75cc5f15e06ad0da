/** The part of the agent protocol in which a host states what its machines have. */
import { endpoint } from '../kit/endpoint.ts'
import { array, id, openObject, openOneOf, openResource, text } from '../kit/schema.ts'
import { area, epoch } from './agent-hardware.ts'
import { machineKeyType, machineStatementType } from './attestation.ts'

/** The longest signed texts, and how many a host sends at once. */
const statementLengthMax = 24_576
const machineKeyLengthMax = 1024
export const statementsPerReport = 16

const signed = (max: number, description: string) =>
  text({
    max,
    pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]{86}$',
    form: 'a JSON Web Signature in compact form',
    examples: [`eyJhbGciOiJFZERTQSJ9.e30.${'A'.repeat(86)}`],
    description,
  })

/** Why a statement was not taken. */
export const statementRefusals = ['unknown_machine', 'bad_key', 'bad_signature', 'bad_claims', 'not_timely'] as const
export type StatementRefusal = (typeof statementRefusals)[number]

const refusedStatement = openResource('RefusedStatement', 'A statement that was not taken.', {
  instance: id('instance'),
  reason: openOneOf(statementRefusals, { description: 'Why it was not taken.' }),
})

export const reportMachineStatements = endpoint({
  name: 'report_machine_statements',
  method: 'PUT',
  path: '/agent/v1/statements',
  area,
  summary: 'Report statements',
  description:
    'Hands over the statements of the host about its instances, from which `get_instance_attestation` is made. Each ' +
    'statement is signed with a key of its instance, and `key_proof` with the key of the host. A statement that is ' +
    'refused does not affect the others. Safe to repeat.',
  success: 200,
  body: openObject({
    epoch,
    statements: array(
      openObject({
        instance: id('instance'),
        statement: signed(
          statementLengthMax,
          `What the host states about the machine, of type \`${machineStatementType}\`.`,
        ),
        key_proof: signed(
          machineKeyLengthMax,
          `Proof that the key of the statement belongs to the machine, of type \`${machineKeyType}\`.`,
        ),
      }),
      { max: statementsPerReport, description: 'The statements, each about one machine.' },
    ),
  }),
  body_bytes_max: 524_288,
  response: openResource('TakenStatements', 'The response to statements.', {
    refused: array(refusedStatement, {
      max: statementsPerReport,
      description: 'The statements that were not taken.',
    }),
  }),
  access: 'agent',
  errors: ['stale_epoch'],
})

export const operations = [reportMachineStatements] as const
