import type { Tables } from '../../core/table-rules/index.ts'

const leftOut = 'belongs to the installation'

export const tables = {
  server_setting: { owner: { leftOut } },
  outgoing_mail: {
    owner: { leftOut },
    person: { none: 'an e-mail to a member is deleted 30 days after it was written' },
  },
} satisfies Tables
