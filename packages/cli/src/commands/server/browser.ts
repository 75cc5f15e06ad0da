/** Opens a page in the browser of this machine. */
import { spawn } from 'node:child_process'

/**
 * Opens a URL with the program of the platform, without a shell. Returns at once, because some of these programs run
 * for as long as the browser does. Prints one line if the program is missing or fails.
 */
export function openBrowser(url: string, note: (text: string) => void): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const failed = (reason: string) => note(`No browser was opened: ${program} ${reason}. Open the link yourself.`)
  const child = spawn(program, [url], { stdio: 'ignore', detached: true })
  child.once('error', ({ code, message }: NodeJS.ErrnoException) =>
    failed(code === 'ENOENT' ? 'is not installed' : `could not start: ${message}`),
  )
  child.once('exit', (status) => status !== 0 && failed(`exited with ${status ?? 'a signal'}`))
  child.unref()
}
