import type { BotCaller } from '../../../accounts/index.ts'
import type { TableViewer } from '../../tables.ts'

export const toTableViewer = ({ botId, integration }: BotCaller): TableViewer => ({
  botId,
  integration: integration?.alias ?? null,
})
