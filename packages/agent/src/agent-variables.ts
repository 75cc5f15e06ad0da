/** The variables of the agent of a host. Its commands read them, and so does the reference. */
import type { SettingTable } from '@bourse/text/settings.ts'

/** The variables of the agent, in the order of the reference. */
export const agentVariables = {
  BOURSE_AGENT_DIR: {
    meaning:
      'The directory of the keys, the journal and the images of the agent. The flag `--directory` takes precedence.',
    form: 'a directory',
    unset: '`.bourse-agent` in the home directory',
    readers: ['agent'],
  },
  BOURSE_ENROL_TOKEN: {
    meaning: 'The secret of the permit with which a host enrols. The flag `--token-file` takes precedence.',
    readers: ['agent enrol'],
  },
  BOURSE_NODE: {
    meaning: 'The program of Node.js with which the packed agent runs.',
    form: 'a path or a name',
    fallback: 'node',
    readers: ['the packed agent'],
  },
  BOURSE_ADAPTERS: {
    meaning: 'The PCI addresses of the InfiniBand adapters of an instance. The agent sets it: do not set it.',
    readers: ['your command for InfiniBand partitions'],
  },
  BOURSE_ADAPTER_GUIDS: {
    meaning: 'The GUIDs of the adapters of `BOURSE_ADAPTERS`, in the same order. The agent sets it: do not set it.',
    readers: ['your command for InfiniBand partitions'],
  },
} as const satisfies SettingTable
