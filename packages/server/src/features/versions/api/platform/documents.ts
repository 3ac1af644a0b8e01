import type { Handlers, platform } from '@botstead/contract'
import type { Contexts } from '../../../../core/http/index.ts'
import { inspectDocument } from '../../document-check.ts'

export const documents: Handlers<typeof platform.documents, Contexts> = {
  async checkBotDocument({ caller }, { body }) {
    return inspectDocument(caller.workspaceId, body.document)
  },
}
