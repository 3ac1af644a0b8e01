import type { Tables } from '../../core/table-rules/index.ts'

export const tables = {
  archive_job: { owner: { leftOut: 'describes a file of this installation' } },
} satisfies Tables
