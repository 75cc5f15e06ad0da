// Restarts an agent as systemd does: ends the one that runs, starts the program that is in place, and waits until it is
// ready. Here it is ready once the server has accepted its report.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const [program, directory] = process.argv.slice(2)
const pidFile = join(directory, 'agent.pid')
const reported = join(directory, 'reported.json')
const log = join(directory, 'agent.log')

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    // A child of a process that does not wait for it stays a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

if (existsSync(pidFile)) {
  const pid = Number(readFileSync(pidFile, 'utf8'))
  if (isRunning(pid)) process.kill(pid, 'SIGTERM')
  while (isRunning(pid)) await pause(20)
}
rmSync(reported, { force: true })
const output = openSync(log, 'w')
const words = ['agent', 'run', '--driver', 'simulated', '--directory', directory]
const agent = spawn(program, words, { detached: true, stdio: ['ignore', output, output] })
closeSync(output)
agent.unref()
writeFileSync(pidFile, String(agent.pid))
while (!existsSync(reported)) {
  if (!isRunning(agent.pid)) {
    console.error(readFileSync(log, 'utf8').trim().split('\n').at(-1))
    process.exit(1)
  }
  await pause(50)
}
