import type { BotCaller } from '../../../http/index.ts'
import type { TableViewer } from '../../tables.ts'

export const toTableViewer = ({ botId, integration }: BotCaller): TableViewer => ({
  botId,
  integration: integration?.alias ?? null,
})
