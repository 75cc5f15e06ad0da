/** How to log in to an instance, with the keys that prove that it is the right machine. */
import { type Instance, type InstanceSsh, NotFoundError } from '@bourse/sdk'
import { useEffect, useState } from 'react'
import { client } from '../live/client.ts'
import { useAccount } from '../live/clock.ts'
import { useRead } from '../live/queries.ts'
import { Loaded } from '../ui/loaded.tsx'
import { Copyable } from '../ui/values.tsx'
import styles from './fleet.module.css'
import { bourseSsh, isSimulated, knownHosts, sshCommand } from './ssh.rules.ts'
import { fingerprintText } from './ssh-fingerprint.ts'

/** The commands, once the machine has booted. */
export function SshLines({ instance }: { instance: Instance }) {
  const isRunning = instance.state === 'running'
  const ssh = useRead(['instance', 'ssh', instance.id], () => readSsh(instance), {
    enabled: isRunning,
    every: 5_000,
  })
  if (!isRunning) return <p className="quiet">Only a running instance has a shell.</p>
  return <Loaded of={ssh}>{(known) => <Commands instance={instance} ssh={known} />}</Loaded>
}

function Commands({ instance, ssh }: { instance: Instance; ssh: InstanceSsh | null }) {
  const { data: account } = useAccount()
  if (!ssh) return <p className="quiet">Its host keys are not known yet: it is still booting.</p>
  return (
    <>
      {isSimulated(ssh) ? (
        <p className="quiet">
          This machine is simulated: it has keys and a console, and nothing listens at its address.
        </p>
      ) : null}
      <p className={styles.line}>
        <Copyable text={bourseSsh(instance, account?.workspace.id)} isLong />
      </p>
      <p className={styles.line}>
        <Copyable text={sshCommand(ssh)} isLong />
      </p>
      <details>
        <summary>Host keys for OpenSSH</summary>
        <p className="quiet small">
          The command line verifies them by itself. For OpenSSH, put a line into ~/.ssh/known_hosts first.
        </p>
        {ssh.host_keys.map((key) => (
          <HostKey key={key.key} ssh={ssh} hostKey={key} />
        ))}
      </details>
    </>
  )
}

async function readSsh(instance: Instance): Promise<InstanceSsh | null> {
  try {
    return await client.instances.getSsh(instance.id)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

type KeyProps = { ssh: InstanceSsh; hostKey: InstanceSsh['host_keys'][number] }

function HostKey({ ssh, hostKey }: KeyProps) {
  const [fingerprint, setFingerprint] = useState('')
  useEffect(() => {
    let isOver = false
    // Browsers hash only on secure origins.
    void fingerprintText(hostKey.key, globalThis.crypto?.subtle).then((text) => {
      if (!isOver) setFingerprint(text)
    })
    return () => {
      isOver = true
    }
  }, [hostKey.key])
  return (
    <div>
      <Copyable text={knownHosts(ssh, hostKey)} isLong />
      {fingerprint ? <div className={`small quiet mono ${styles.fingerprint}`}>{fingerprint}</div> : null}
    </div>
  )
}
