/** The files that pages load: one style and one script. */
import { readFileSync } from 'node:fs'
import { once } from '../../core/base/once.ts'
import { createStaticContent, staticResponse } from '../../core/http/static-content.ts'
import type { TransferRoute } from '../../core/http/transfer.ts'
import { scriptPath, stylePath } from '../people/pages.rules.ts'

/** The paths of the files. */
export const filePaths = { style: stylePath, script: scriptPath } as const

/** Shows the style of all pages. */
export const showStyle = fileOf('sign-in.css', 'text/css; charset=utf-8')

/** Shows the script that asks authenticators. */
export const showScript = fileOf('passkeys.js', 'text/javascript; charset=utf-8')

function fileOf(file: string, mediaType: string): TransferRoute['run'] {
  const read = () => readFileSync(new URL(`./browser/${file}`, import.meta.url))
  const content = once(() => createStaticContent(read(), mediaType))
  return async (_, { headers }) => staticResponse(content(), headers)
}
