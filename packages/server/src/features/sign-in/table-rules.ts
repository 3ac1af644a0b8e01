import { sealedBytes, type Tables } from '../../core/table-rules/index.ts'

const credentials = { leftOut: 'signs a person in at this installation' }

export const tables = {
  account_identity: { owner: credentials },
  account_password: { owner: credentials },
  account_totp: {
    owner: credentials,
    sealed: {
      secret: sealedBytes('secret', (row) => `account_totp.secret/${row.account_id}`),
    },
  },
  invitation: {
    owner: { leftOut: 'is a link to this installation' },
    plainBytes: ['hash'],
  },
  recovery_code: { owner: credentials, plainBytes: ['hash'] },
  sign_in_attempt: {
    owner: { leftOut: 'counts attempts to sign in at this installation' },
  },
  sign_in_link: {
    owner: { leftOut: 'signs a person in at this installation, and expires soon' },
    plainBytes: ['hash'],
  },
} satisfies Tables
