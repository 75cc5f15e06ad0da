/**
 * Builds the console into packages/console/dist; `npm ci` runs it. With `--serve URL` it serves the console from source
 * at port 5173 instead, for the server at the URL, and reloads what changes.
 */
import { parseArgs } from 'node:util'
import { hasBuildTools, viteConfig } from './console/config.ts'
import { packFiles } from './console/pack-files.ts'

const { values } = parseArgs({ options: { serve: { type: 'string' }, 'if-possible': { type: 'boolean' } } })

if (!hasBuildTools()) {
  console.log('The console was not built, because its build tools are not installed. `npm ci` installs them.')
  process.exitCode = values['if-possible'] ? 0 : 1
} else if (values.serve) {
  const [{ createServer }, { cutFonts }] = await Promise.all([import('vite'), import('./console/fonts.ts')])
  await cutFonts()
  const server = await createServer(viteConfig(values.serve))
  await server.listen()
  server.printUrls()
} else {
  // Vite would make a build for development of it where a caller, such as a test, has set another value.
  process.env.NODE_ENV = 'production'
  const [{ build }, { cutFonts }] = await Promise.all([import('vite'), import('./console/fonts.ts')])
  await cutFonts()
  await build(viteConfig())
  console.log(await packFiles())
}
