import type { Tables } from '../table-rules/index.ts'

const isOfChain = (workspace: string) => `r.chain = ${workspace}`

export const tables = {
  audit_chain: { owner: { where: isOfChain }, plainBytes: ['hash'] },
  audit_record: {
    owner: { where: isOfChain },
    plainBytes: ['hash'],
    person: { none: 'is a chain of hashes; it names ids, and operators as their actors' },
  },
  token_address: {
    owner: { leftOut: 'records the addresses that used a personal token' },
  },
} satisfies Tables
