import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, nullable, paging } from '../../fields.ts'
import { Archive, ArchiveLink } from '../../models/privacy/archive.ts'
import { operation } from '../../operation.ts'

const backup = '/v1/platform/installation/backups'

/** For owners of the installation's first workspace. */
export const backups = {
  listBackups: operation({
    method: 'GET',
    path: backup,
    access: 'account',
    summary: 'List the backups of the installation, newest first',
    description: 'For owners of the first workspace.',
    query: T.Object(paging),
    response: closed({
      backups: T.Array(Archive),
      /** The folder of the files. */
      folder: T.String(),
      /** The folder of the keys, which a backup does not contain; null if settings contain them. */
      keysFolder: nullable(T.String()),
      meta: Meta,
    }),
    errors: ['Forbidden', 'InvalidQuery'],
  }),
  createBackup: operation({
    method: 'POST',
    path: backup,
    access: 'account',
    summary: 'Start a backup of the installation',
    description:
      'For owners of the first workspace. The server writes it in the background, one at a time, ' +
      'without the keys of the installation.',
    body: closed({}),
    response: closed({ backup: Archive }),
    errors: ['Forbidden', 'ResourceLockedConflict'],
  }),
  createBackupLink: operation({
    method: 'POST',
    path: `${backup}/{id}/link`,
    access: 'account',
    summary: 'Create a link that downloads a backup',
    description:
      'For owners of the first workspace. Downloads may start within ten minutes.',
    params: byId,
    body: closed({}),
    response: ArchiveLink,
    errors: ['Forbidden', 'ResourceNotFound', 'ResourceGone', 'ResourceLockedConflict'],
  }),
  deleteBackup: operation({
    method: 'DELETE',
    path: `${backup}/{id}`,
    access: 'account',
    summary: 'Delete a backup, or stop it',
    description: 'For owners of the first workspace.',
    params: byId,
    response: Done,
    errors: ['Forbidden', 'ResourceNotFound'],
  }),
}
