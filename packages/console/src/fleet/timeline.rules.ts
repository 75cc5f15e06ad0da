/** Events of instances in words. Pure. */

const words: Readonly<Record<string, string>> = {
  'instance.created': 'Created; it waits for allocation',
  'instance.running': 'Started on a host',
  'instance.termination_imminent': 'Notice: it will end soon',
  'instance.termination_withdrawn': 'The notice no longer holds',
  'instance.terminated': 'Ended',
  'instance.failed': 'Failed; it still uses its node',
  'instance.connection_lost': 'Its host no longer answers',
}

/** An action in words. Actions that this console does not know are shown as they are. */
export function actionText(action: string): string {
  return words[action] ?? action.replaceAll(/[._]/g, ' ')
}
