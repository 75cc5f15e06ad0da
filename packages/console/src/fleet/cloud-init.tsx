/** The user data of an instance, shown only when somebody asks: it may hold secrets. */
import type { Instance } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import styles from './fleet.module.css'
import { fromBase64 } from './launch.rules.ts'

/** A button that shows the data, or a word. */
export function UserDataText({ instance }: { instance: Instance }) {
  const [text, setText] = useState<string>()
  const read = useAction(
    async () => fromBase64((await client.instances.getCloudInit(instance.id)).cloud_init_user_data),
    {
      onDone: setText,
    },
  )
  if (!instance.cloud_init_user_data_used) return 'none'
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
