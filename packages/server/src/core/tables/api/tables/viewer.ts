import type { Caller } from '../../../http/index.ts'
import type { TableViewer } from '../../tables.ts'

export const toTableViewer = ({ botId, integration }: Caller<'bot'>): TableViewer => ({
  botId,
  integration: integration?.alias ?? null,
})
