/** Prints the samples of the SDK in the reference as a program, so that the compiler checks each of them. */
import { type CodeSample, sdkHead } from '../../packages/api/src/openapi/code-samples.ts'

type SampledDocument = {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { operationId: string; 'x-codeSamples': CodeSample[] }>>>
  >
}

/** The text of packages/sdk/test/generated/code-samples.ts: a function for each sample of an OpenAPI document. */
export function printSdkSamples(document: object): string {
  const operations = Object.values((document as SampledDocument).paths).flatMap((methods) => Object.values(methods))
  const samples = operations.flatMap(({ operationId, 'x-codeSamples': own }) =>
    own.filter(({ lang }) => lang === 'TypeScript').map(({ source }) => functionOf(operationId, source)),
  )
  return `/** Generated from openapi.json by \`npm run gen\`. Do not edit. Never run: the compiler alone checks it. */
import { createClient } from '../../src/sdk.ts'

const client = createClient()

/** The samples of the SDK in the reference, by operation. */
export const samples = {
${samples.join('\n')}
}
`
}

function functionOf(name: string, source: string): string {
  if (!source.startsWith(sdkHead)) throw new Error(`The sample of ${name} does not begin as all others do.`)
  const lines = source.slice(sdkHead.length).split('\n')
  return `  async ${name}() {\n${lines.map((line) => (line === '' ? line : `    ${line}`)).join('\n')}\n  },`
}
