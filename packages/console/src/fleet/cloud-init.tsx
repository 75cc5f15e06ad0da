/** The user data of an instance or a template, shown only when somebody asks: it may hold secrets. */
import type { Instance, InstanceTemplate } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import styles from './fleet.module.css'
import { fromBase64 } from './launch.rules.ts'

/** A button that shows the data, or a word. */
export function UserDataText({ of }: { of: Instance | InstanceTemplate }) {
  const [text, setText] = useState<string>()
  const read = useAction(async () => fromBase64(await readData(of)), { onDone: setText })
  if (!of.cloud_init_user_data_used) return 'none'
  if (text !== undefined) return <pre className={styles.data}>{text}</pre>
  return (
    <>
      <Button onClick={() => read.run(undefined)} isBusy={read.isRunning}>
        Show
      </Button>
      <ErrorText error={read.error} />
    </>
  )
}

async function readData(of: Instance | InstanceTemplate): Promise<string> {
  const isInstance = of.object === 'instance'
  const read = isInstance ? client.instances.getCloudInit(of.id) : client.instanceTemplates.getCloudInit(of.id)
  return (await read).cloud_init_user_data
}
