/** The health check of the image. It asks the server of its container, whose words are those of the first process. */
import { readFile } from 'node:fs/promises'
import { healthUrl, isHealthy } from './commands/server/health.ts'

const words = (await readFile('/proc/1/cmdline', 'utf8')).split('\0').slice(0, -1)
process.exitCode = (await isHealthy(healthUrl(words, process.env))) ? 0 : 1
