import type { Tables } from '../table-rules/index.ts'

export const tables = {
  usage_count: { owner: 'derived' },
} satisfies Tables
