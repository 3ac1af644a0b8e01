import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, nullable, paging } from '../../fields.ts'
import { Archive, ArchiveLink } from '../../models/privacy/archive.ts'
import { operation } from '../../operation.ts'

const inWorkspace = { access: 'workspace', permission: 'workspace.archive' } as const

/** Archives of a workspace, in the format of `botstead export`. */
export const archives = {
  listArchives: operation({
    method: 'GET',
    path: '/v1/platform/archives',
    ...inWorkspace,
    summary: "List the workspace's archives, newest first",
    query: T.Object(paging),
    response: closed({ archives: T.Array(Archive), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  createArchive: operation({
    method: 'POST',
    path: '/v1/platform/archives',
    ...inWorkspace,
    summary: 'Start an archive of the workspace',
    description:
      'The server writes it in the background, one at a time. `passphrase` encrypts the secrets; ' +
      'null omits them. The server does not store the passphrase.',
    body: closed({ passphrase: nullable(T.String({ minLength: 12, maxLength: 1_000 })) }),
    response: closed({ archive: Archive }),
    errors: ['ResourceLockedConflict', 'LimitExceeded'],
  }),
  createArchiveLink: operation({
    method: 'POST',
    path: '/v1/platform/archives/{id}/link',
    ...inWorkspace,
    summary: 'Create a link that downloads an archive',
    description: 'Downloads may start within ten minutes.',
    params: byId,
    body: closed({}),
    response: ArchiveLink,
    errors: ['ResourceNotFound', 'ResourceGone', 'ResourceLockedConflict'],
  }),
  deleteArchive: operation({
    method: 'DELETE',
    path: '/v1/platform/archives/{id}',
    ...inWorkspace,
    summary: 'Delete an archive, or stop it',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
