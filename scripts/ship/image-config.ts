/** How a container of the image runs. */
import { healthPath, nodePath } from './program-files.ts'

/** The user and the group of the program. */
export const imageUser = 65_532
/** The folder of the image that the program may write, below the root. */
export const dataFolder = 'var/lib/bourse'

/** What an image is built from. */
export type ImageParts = {
  readonly architecture: string
  /** The time of the commit. */
  readonly date: string
  readonly version: string
  readonly commit: string | undefined
}

const second = 1_000_000_000

/** The configuration of the image, in the form of OCI; `Healthcheck` is Docker's. */
export function imageConfig(
  { architecture, date, version, commit }: ImageParts,
  layers: readonly { readonly diff_id: string; readonly title: string }[],
): object {
  return {
    created: date,
    architecture,
    os: 'linux',
    config: {
      User: `${imageUser}:${imageUser}`,
      // In a container, loopback reaches nobody.
      Env: ['PATH=/usr/bin', 'BOURSE_HOST=0.0.0.0', `BOURSE_DATA_DIR=/${dataFolder}`],
      Entrypoint: ['/usr/bin/bourse'],
      Cmd: ['serve'],
      WorkingDir: `/${dataFolder}`,
      Volumes: { [`/${dataFolder}`]: {} },
      ExposedPorts: { '8080/tcp': {}, '9090/tcp': {} },
      StopSignal: 'SIGTERM',
      Healthcheck: {
        // Whether it is up: /readyz would make a restart of each container out of an outage of the database.
        Test: ['CMD', nodePath, healthPath],
        Interval: 10 * second,
        Timeout: 5 * second,
        StartPeriod: 60 * second,
        Retries: 3,
      },
      Labels: {
        'org.opencontainers.image.title': 'Bourse',
        'org.opencontainers.image.description': 'A compute marketplace control plane.',
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.created': date,
        ...(commit === undefined ? {} : { 'org.opencontainers.image.revision': commit }),
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diff_id }) => diff_id) },
    history: layers.map(({ title }) => ({ created: date, created_by: 'npm run pack -- image', comment: title })),
  }
}
