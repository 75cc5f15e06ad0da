/** The messages that are shown now. */
import { Toast } from '@base-ui/react/toast'
import { useEffect, useRef } from 'react'
import styles from './layer.module.css'

const manager = Toast.createToastManager()

/** Shows each text for some seconds, once. */
export function ToastCorner({ texts }: { texts: readonly string[] }) {
  const shown = useRef(0)
  useEffect(() => {
    for (const title of texts.slice(shown.current)) manager.add({ title })
    shown.current = texts.length
  }, [texts])
  return (
    <Toast.Provider toastManager={manager} timeout={6_000}>
      <Toast.Portal>
        <Toast.Viewport className={styles.toasts}>
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Shown() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Title render={<p />} />
    </Toast.Root>
  ))
}
