import { sealedBytes, type Tables } from '../table-rules/index.ts'

export const tables = {
  carried_key: {
    owner: 'derived',
    sealed: {
      secret: sealedBytes(
        'secret',
        (row) => `carried_key.secret/${row.bot_id}/${row.kind}/${row.name}`,
      ),
    },
    onlyWithSecrets: true,
  },
  data_key: {
    owner: {
      leftOut:
        'decrypts the secrets of this installation; an archive encrypts its secrets with its passphrase',
    },
  },
  root_key: { owner: { leftOut: 'belongs to the installation' } },
} satisfies Tables
